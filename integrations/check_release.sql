-- Fifteen laws of a release, checked without storymill: each row of the answer is a row of the release that breaks one.
--
--     cd releases/my-1.0.0 && duckdb -c ".read check_release.sql"
--
-- It wants the tables of the quickstart's workflow (books and their texts, scenes, summaries, distortions, variants,
-- read-along, reconstruction, eval, eval-small, and the prompts of a release); take out what reads a table that you do not have.
CREATE OR REPLACE TEMP VIEW pieces AS SELECT *, split_part(split_part(filename, '/', -1), '-', 1) AS file FROM read_parquet('books-text/*.parquet', filename = true);
CREATE OR REPLACE TEMP VIEW books AS SELECT b.*, t.text, split_part(split_part(filename, '/', -1), '-', 1) AS file FROM read_parquet('books/*.parquet', filename = true) b
  LEFT JOIN (SELECT book_id, string_agg(text, '' ORDER BY start_symbols) AS text FROM pieces GROUP BY book_id) t USING (book_id);
CREATE OR REPLACE TEMP VIEW scenes AS SELECT * FROM read_parquet('scenes/*.parquet');
CREATE OR REPLACE TEMP VIEW read_along AS SELECT *, split_part(split_part(filename, '/', -1), '-', 1) AS file FROM read_parquet('read-along/*.parquet', filename = true);
CREATE OR REPLACE TEMP VIEW repairs AS SELECT *, split_part(split_part(filename, '/', -1), '-', 1) AS file FROM read_parquet('reconstruction/*.parquet', filename = true);
CREATE OR REPLACE TEMP VIEW eval AS SELECT *, split_part(split_part(filename, '/', -1), '-', 1) AS file FROM read_parquet('eval/*.parquet', filename = true);
CREATE OR REPLACE TEMP VIEW eval_small AS SELECT *, split_part(split_part(filename, '/', -1), '-', 1) AS file FROM read_parquet('eval-small/*.parquet', filename = true);
CREATE OR REPLACE TEMP VIEW prompts AS SELECT * FROM read_parquet('prompts/*.parquet');
CREATE OR REPLACE TEMP VIEW twins AS
  SELECT * FROM read_parquet('distortions/*.parquet') UNION ALL BY NAME SELECT * FROM read_parquet('variants/*.parquet');
-- What stays of a text where marks and capitals are made alike.
CREATE OR REPLACE TEMP MACRO plain(text) AS trim(lower(regexp_replace(text, '[^\pL\pN]+', ' ', 'g')));
-- True retellings by their ids, and the books once more, under other names.
CREATE OR REPLACE TEMP VIEW told AS SELECT summary_id AS id, * FROM read_parquet('summaries/*.parquet');
CREATE OR REPLACE TEMP VIEW renamed AS SELECT * FROM read_parquet('other-books/*.parquet');

-- Everything that is asked, with what is said of it in every table.
CREATE OR REPLACE TEMP VIEW asked AS
  SELECT 'read-along' AS config, question_id, book_id, split, file, type, asked_at_scene, question, options, answer, evidence, made_by, canary,
    demands_scenes, demands_words, demands_symbols, demands_end_symbols, demands_tokens_o200k_base, demand_scenes, demand_words, demand_symbols,
    demand_end_symbols, demand_tokens_o200k_base, context_scenes, context_words, context_symbols, context_tokens_o200k_base FROM read_along
  UNION ALL BY NAME
  SELECT 'eval' AS config, question_id, book_id, split, file, type, asked_at_scene, question, options, answer, evidence, made_by, canary,
    demands_scenes, demands_words, demands_symbols, demands_end_symbols, demands_tokens_o200k_base, demand_scenes, demand_words, demand_symbols,
    demand_end_symbols, demand_tokens_o200k_base, context_scenes, context_words, context_symbols, context_tokens_o200k_base FROM eval
  UNION ALL BY NAME
  SELECT 'eval-small' AS config, question_id, book_id, split, file, type, asked_at_scene, question, options, answer, evidence, made_by, canary,
    demands_scenes, demands_words, demands_symbols, demands_end_symbols, demands_tokens_o200k_base, demand_scenes, demand_words, demand_symbols,
    demand_end_symbols, demand_tokens_o200k_base, context_scenes, context_words, context_symbols, context_tokens_o200k_base FROM eval_small
  UNION ALL BY NAME
  SELECT 'reconstruction' AS config, question_id, book_id, split, file, 'reconstruction' AS type, context_scenes - 1 AS asked_at_scene, question,
    []::VARCHAR[] AS options, -1 AS answer, evidence, made_by, canary, demand_scenes, demand_words, demand_symbols, demand_end_symbols,
    demand_tokens_o200k_base, context_scenes, context_words, context_symbols, context_tokens_o200k_base FROM repairs;
-- The options of read-along questions, one by one.
CREATE OR REPLACE TEMP VIEW options AS SELECT r.* EXCLUDE (options), scenes.start_symbols, scenes.scene_id, o.* FROM (
  SELECT read_along.*, unnest(range(len(options))) AS place FROM read_along) r, LATERAL (SELECT options[place + 1] AS text, option_kinds[place + 1] AS kind,
  option_ids[place + 1] AS id, option_books[place + 1] AS book, option_scenes[place + 1] AS scene, option_names[place + 1] AS names,
  option_demand_scenes[place + 1] AS back_scenes, option_demand_words[place + 1] AS back_words, option_demand_symbols[place + 1] AS back_symbols,
  option_demand_tokens_o200k_base[place + 1] AS back_tokens) o
  LEFT JOIN scenes ON scenes.book_id = r.book_id AND scenes.scene = o.scene AND o.book = r.book_id;
CREATE OR REPLACE TEMP VIEW chapters AS SELECT book_id, text, symbols, c.title, c.level, c.start_symbols, c.end_symbols FROM (SELECT book_id, text, symbols, unnest(chapters) AS c FROM books);
-- How many words lie between the beginnings of scenes, and the end of what was read.
CREATE OR REPLACE TEMP VIEW reach AS SELECT *, sum(words) OVER (PARTITION BY book_id ORDER BY scene) AS words_so_far,
  row_number() OVER (PARTITION BY book_id ORDER BY scene) - 1 AS place, lead(start_symbols) OVER (PARTITION BY book_id ORDER BY scene) AS next_symbols,
  lead(start_bytes) OVER (PARTITION BY book_id ORDER BY scene) AS next_bytes FROM scenes;

CREATE OR REPLACE TEMP TABLE findings AS
-- 1. An id stands once in its table, and says which book, scene and kind its row is of.
SELECT 1 AS law, config, question_id AS id FROM asked QUALIFY count(*) OVER (PARTITION BY config, question_id) > 1
UNION ALL SELECT 1, config, question_id FROM asked WHERE NOT starts_with(question_id, book_id || '/') OR NOT ends_with(question_id, CASE WHEN type = 'reconstruction' THEN '/reconstruct' ELSE '/' || type END)
  OR type NOT IN ('reconstruction', 'same-scene', 'state') AND question_id <> format('{}/{:04d}/{}', book_id, asked_at_scene, type)
  OR type = 'state' AND question_id <> format('{}/{}/state', book_id, array_to_string([format('{:04d}', context_scenes - back) FOR back IN demands_scenes], '-'))
UNION ALL SELECT 1, 'scenes', scene_id FROM reach WHERE scene_id <> format('{}/{:04d}', book_id, scene) OR scene <> place
UNION ALL SELECT 1, 'books', book_id FROM books QUALIFY count(*) OVER (PARTITION BY book_id) > 1
UNION ALL SELECT 1, 'summaries', id FROM told WHERE id NOT SIMILAR TO (book_id || CASE level WHEN 0 THEN format('/{:04d}/s[0-9]+', first_scene) ELSE format('/L{}/[0-9]+', level) END) OR level = 0 AND first_scene <> last_scene
  OR last_scene < first_scene OR words <> len(regexp_extract_all(text, '\S+')) OR len(list_filter(answer_ids, lambda a: NOT regexp_full_match(a, '[0-9a-f]{64}'))) > 0 OR (len(answer_ids) = 0) <> (made_by = 'rule')
UNION ALL SELECT 1, 'summaries', id FROM told LEFT JOIN (SELECT book_id, max(scene) AS last FROM scenes GROUP BY book_id) USING (book_id) WHERE last_scene > last OR last IS NULL
UNION ALL SELECT 1, 'summaries', id FROM told QUALIFY protocol <> mode(protocol) OVER (PARTITION BY level)
UNION ALL SELECT 1, 'distortions', distortion_id FROM twins t LEFT JOIN told ON told.id = t.summary_id WHERE t.book_id IS DISTINCT FROM told.book_id OR t.text = twin_text OR similarity_pm NOT BETWEEN 0 AND 999
  OR NOT regexp_full_match(distortion_id, regexp_replace(t.summary_id, '/s[0-9]+$', '') || '/[dv]' || t.sample) OR len(list_filter(t.answer_ids, lambda a: NOT regexp_full_match(a, '[0-9a-f]{64}'))) > 0
  OR len(list_filter(edits, lambda e: e.true_event = e.false_event OR e.true_event = '')) > 0
UNION ALL SELECT 1, 'distortions', distortion_id FROM twins QUALIFY protocol <> mode(protocol) OVER (PARTITION BY regexp_extract(distortion_id, '/([dv])[0-9]+$', 1))
-- 2. Every row that is asked carries the same canary.
UNION ALL SELECT 2, config, question_id FROM (SELECT config, question_id, canary FROM asked UNION ALL SELECT 'prompts', question_id, canary FROM prompts)
  WHERE canary <> (SELECT mode(canary) FROM asked) OR canary = ''
-- 3. A book and all that is asked of it is in one split, the one that its file is of; an author is in one split.
UNION ALL SELECT 3, config, question_id FROM asked LEFT JOIN books USING (book_id) WHERE asked.split IS DISTINCT FROM books.split OR asked.file <> asked.split
UNION ALL SELECT 3, 'books', book_id FROM books WHERE split <> file
UNION ALL SELECT 3, 'books', any_value(book_id) FROM (SELECT book_id, split, unnest(authors).agent_id AS agent FROM books) GROUP BY agent HAVING count(DISTINCT split) > 1
UNION ALL SELECT 3, 'books', book_id FROM books WHERE len(list_filter(authors, lambda a: a.agent_id = '' OR a.name = '' OR a.birth_year > a.death_year)) > 0
  OR NOT regexp_full_match(page_sha256, '[0-9a-f]{64}') OR title = '' OR NOT regexp_full_match(language, '[a-z]{2,3}(-[A-Za-z]+)?') OR kind_sure_pm NOT BETWEEN 0 AND 1000
UNION ALL SELECT 3, 'books', book_id FROM books b LEFT JOIN renamed r USING (book_id) WHERE (b.split, b.language, b.kind, b.kind_sure_pm, b.kind_evidence, b.rights, b.source_url, b.page_sha256, b.words, b.flags, len(b.chapters))
  IS DISTINCT FROM (r.split, r.language, r.kind, r.kind_sure_pm, r.kind_evidence, r.rights, r.source_url, r.page_sha256, r.words, r.flags, len(r.chapters))
-- 4. A book's text has its digest and its lengths, and its chapters lie in it one after the other, beginning with their titles.
UNION ALL SELECT 4, 'books', book_id FROM books WHERE text IS NULL OR sha256(text) <> text_sha256 OR length(text) <> symbols OR len(regexp_extract_all(text, '\S+')) <> words
UNION ALL SELECT 4, 'books', book_id FROM chapters c WHERE end_symbols NOT BETWEEN start_symbols + 1 AND symbols OR level NOT BETWEEN 0 AND 3
  OR trim(substring(text, end_symbols + 1, coalesce((SELECT min(n.start_symbols) FROM chapters n WHERE n.book_id = c.book_id AND n.start_symbols > c.start_symbols AND n.level <= c.level), symbols) - end_symbols), ' ' || chr(10)) <> ''
  OR NOT starts_with(plain(substring(text, start_symbols + 1, 400)), plain(title)) OR NOT regexp_matches(substring(text, end_symbols, 1), '\S')
UNION ALL SELECT 4, 'books', book_id FROM books WHERE len(chapters) > 0 AND (chapters[1].start_symbols <> 0 OR [c.start_symbols FOR c IN chapters] <> list_sort([c.start_symbols FOR c IN chapters]))
UNION ALL SELECT 4, 'books-text', text_id FROM (SELECT *, lag(end_symbols, 1, 0) OVER w AS last, row_number() OVER w - 1 AS place FROM pieces WINDOW w AS (PARTITION BY book_id ORDER BY start_symbols)) p LEFT JOIN books b USING (book_id)
  WHERE text_id <> format('{}/text/{:04d}', book_id, place) OR start_symbols <> last OR end_symbols - start_symbols <> length(p.text) OR p.split IS DISTINCT FROM b.split OR p.split <> p.file OR strlen(p.text) > 1000000
  OR chapter IS DISTINCT FROM len(list_filter(b.chapters, lambda c: c.start_symbols <= p.start_symbols)) - 1 OR chapter_title IS DISTINCT FROM (CASE chapter WHEN -1 THEN '' ELSE b.chapters[chapter + 1].title END)
-- 5. A scene is its stretch of the book, in symbols and in bytes; scenes follow one another, and one lies in its chapter.
UNION ALL SELECT 5, 'scenes', scene_id FROM reach LEFT JOIN books USING (book_id) WHERE reach.text IS DISTINCT FROM substring(books.text, start_symbols + 1, end_symbols - start_symbols)
  OR end_symbols <> coalesce(next_symbols, books.symbols) OR end_bytes <> coalesce(next_bytes, strlen(books.text)) OR start_bytes <> strlen(left(books.text, start_symbols))
  OR reach.words <> len(regexp_extract_all(reach.text, '\S+')) OR reach.tokens_o200k_base NOT BETWEEN reach.words AND 3 * reach.words
  OR len(chapters) > 0 AND NOT coalesce(start_symbols BETWEEN chapters[chapter + 1].start_symbols AND chapters[chapter + 1].end_symbols - 1, false)
-- 6. What was read is the scenes up to the moment of asking, in every unit; what is asked at one moment was read alike.
UNION ALL SELECT 6, config, question_id FROM asked LEFT JOIN reach ON reach.book_id = asked.book_id AND scene = context_scenes - 1
  WHERE asked_at_scene <> context_scenes - 1 OR context_symbols IS DISTINCT FROM end_symbols OR context_words IS DISTINCT FROM words_so_far
UNION ALL SELECT 6, config, question_id FROM asked QUALIFY context_tokens_o200k_base <> mode(context_tokens_o200k_base) OVER (PARTITION BY book_id, context_scenes)
  OR context_tokens_o200k_base > min(context_tokens_o200k_base) OVER (PARTITION BY book_id ORDER BY context_scenes RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
  OR context_tokens_o200k_base NOT BETWEEN context_words AND 2 * context_words
UNION ALL SELECT 6, 'scenes', scene_id FROM (SELECT *, lag(read, 1, 0) OVER w AS since, lag(tokens, 1, 0) OVER w AS before FROM (SELECT book_id, context_scenes AS read, min(context_tokens_o200k_base) AS tokens FROM asked GROUP BY ALL)
  WINDOW w AS (PARTITION BY book_id ORDER BY read)) c JOIN scenes s ON s.book_id = c.book_id AND s.scene = read - 1 WHERE since = read - 1 AND s.tokens_o200k_base - (tokens - before) NOT BETWEEN -1 AND 2
-- 7. Evidence lies in what was read, on whole scenes, and no answer lies beyond the moment of asking.
UNION ALL SELECT 7, config, question_id FROM (SELECT *, unnest(evidence) AS span FROM asked) e WHERE span.start_symbols >= span.end_symbols OR span.end_symbols > context_symbols
  OR NOT EXISTS (FROM scenes WHERE scenes.book_id = e.book_id AND scenes.start_symbols = span.start_symbols)
  OR NOT EXISTS (FROM scenes WHERE scenes.book_id = e.book_id AND scenes.end_symbols = span.end_symbols)
UNION ALL SELECT 7, 'read-along', question_id FROM options WHERE kind = 'true' AND place = answer AND scene >= 0 AND (scene > asked_at_scene OR NOT list_contains([e.start_symbols FOR e IN evidence], start_symbols))
UNION ALL SELECT 7, config, question_id FROM asked WHERE type = 'state' AND len(evidence) NOT BETWEEN 2 AND 4 OR type NOT IN ('reconstruction', 'state') AND len(evidence) <> (CASE WHEN options[answer + 1] LIKE 'None of%' THEN (CASE type WHEN 'since' THEN 1 ELSE 0 END)
  WHEN type = 'since' THEN 2 WHEN type LIKE 'told-order%' OR type LIKE 'who-when%' AND type <> 'who-when-met' THEN 4 ELSE 1 END)
-- 8. Demands are counted again: from the moment of asking back to each place, and that of the farthest; else all that was read.
UNION ALL SELECT 8, config, question_id FROM asked WHERE config <> 'reconstruction' AND (demands_symbols <> [context_symbols - e.start_symbols FOR e IN evidence]
  OR demands_end_symbols <> [context_symbols - e.end_symbols FOR e IN evidence] OR len(demands_tokens_o200k_base) <> len(evidence)
  OR len(evidence) > 0 AND (demand_scenes, demand_words, demand_tokens_o200k_base) IS DISTINCT FROM (list_max(demands_scenes), list_max(demands_words), list_max(demands_tokens_o200k_base)))
UNION ALL SELECT 8, config, question_id FROM asked WHERE (demand_symbols, demand_end_symbols) IS DISTINCT FROM (CASE WHEN len(evidence) = 0 THEN (context_symbols, 0)
  ELSE (context_symbols - list_min([e.start_symbols FOR e IN evidence]), context_symbols - list_sort(evidence)[1].end_symbols) END)
  OR len(evidence) = 0 AND (demand_scenes, demand_words, demand_tokens_o200k_base) IS DISTINCT FROM (context_scenes, context_words, context_tokens_o200k_base)
UNION ALL SELECT 8, config, question_id FROM (SELECT config, question_id, book_id, context_scenes, context_words, demand_scenes AS back, demand_words AS words_back, context_symbols - demand_symbols AS start FROM asked
  UNION ALL SELECT config, question_id, book_id, context_scenes, context_words, unnest(demands_scenes), unnest(demands_words), unnest([e.start_symbols FOR e IN evidence]) FROM asked WHERE demands_scenes IS NOT NULL) d
  LEFT JOIN reach ON reach.book_id = d.book_id AND reach.start_symbols = start WHERE back IS DISTINCT FROM context_scenes - scene OR words_back IS DISTINCT FROM context_words - words_so_far + words
-- 9. Tokens from one scene to another are as many wherever they are told.
UNION ALL SELECT 9, config, question_id FROM (SELECT config, question_id, book_id, context_scenes, context_symbols - demand_symbols AS start, demand_tokens_o200k_base AS tokens, demand_words AS words FROM asked
  UNION ALL SELECT config, question_id, book_id, context_scenes, unnest([e.start_symbols FOR e IN evidence]), unnest(demands_tokens_o200k_base), unnest(demands_words) FROM asked WHERE demands_scenes IS NOT NULL
  UNION ALL SELECT 'read-along', question_id, book_id, context_scenes, start_symbols, back_tokens, back_words FROM options WHERE back_tokens >= 0
  UNION ALL SELECT 'scenes', scene_id, book_id, scene + 1, start_symbols, tokens_o200k_base, words FROM scenes)
  QUALIFY tokens <> mode(tokens) OVER (PARTITION BY book_id, context_scenes, start) OR tokens NOT BETWEEN words AND 2 * words
  OR tokens > min(tokens) OVER (PARTITION BY book_id, context_scenes ORDER BY -start RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
-- 10. An option is the text that its id names, and what stands in a question too.
UNION ALL SELECT 10, 'read-along', question_id FROM options LEFT JOIN told USING (id) LEFT JOIN twins ON distortion_id = id WHERE id <> '' AND names = ''
  AND (CASE type WHEN 'other-book' THEN levenshtein(plain(options.text), plain(told.text)) > 9 ELSE options.text IS DISTINCT FROM coalesce(told.text, CASE kind WHEN 'true' THEN twin_text ELSE twins.text END) END)
UNION ALL SELECT 10, 'read-along', question_id FROM options WHERE type = 'other-book' AND id <> '' QUALIFY text <> mode(text) OVER (PARTITION BY book_id, id, names)
UNION ALL SELECT 10, 'read-along', question_id FROM options WHERE id <> '' AND (NOT starts_with(id, format('{}/{:04d}/', book, scene)) AND id NOT LIKE '%/L%') OR (id = '') <> (scene < 0) OR (id = '') <> (book = '')
UNION ALL SELECT 10, 'read-along', question_id FROM (SELECT question_id, unnest(given) AS shown, unnest(given_ids) AS id FROM read_along) LEFT JOIN told USING (id) WHERE
  CASE WHEN question_id LIKE '%/state' THEN id <> regexp_replace(question_id, '/state$', '/q') OR NOT ends_with(shown, '?') ELSE shown IS DISTINCT FROM text END
UNION ALL SELECT 10, 'read-along', question_id FROM read_along WHERE len(given) <> (CASE type WHEN 'since' THEN 1 WHEN 'state' THEN 1 WHEN 'told-order-all' THEN 4 ELSE 0 END)
-- 11. One option is right, and says so; all differ, and none of the above is the last.
UNION ALL SELECT 11, config, question_id FROM asked WHERE type <> 'reconstruction' AND (answer NOT BETWEEN 0 AND len(options) - 1 OR len(list_distinct(options)) < len(options))
UNION ALL SELECT 11, 'read-along', question_id FROM options WHERE (place = answer) <> (kind = 'true' OR kind = 'none' AND none_of_the_above = 1) OR kind NOT IN ('true', 'none') AND NOT starts_with(type, kind)
  OR (kind = 'none') <> (text = 'None of the above.') OR kind = 'none' AND place < 5 OR none_of_the_above <> CAST(option_kinds[answer + 1] = 'none' AS INTEGER) OR names <> '' AND type <> 'other-book'
UNION ALL SELECT 11, 'read-along', question_id FROM read_along WHERE len(option_kinds) <> len(options) OR len(options) <> (CASE WHEN type LIKE 'told-order-all' OR type NOT LIKE 'told-%' AND type NOT LIKE 'who-%' AND type <> 'state' THEN 6 ELSE 4 END)
-- 12. A wrong option is of the scene that its kind says: one not read yet, one that was read, one of another book; and lies as far back as is told.
UNION ALL SELECT 12, 'read-along', question_id FROM options WHERE kind = 'lookahead' AND scene <= asked_at_scene OR kind IN ('scene-distortion', 'same-scene', 'since', 'told-order') AND scene > asked_at_scene
  OR (kind = 'other-book' AND book = book_id) OR kind NOT IN ('other-book', 'none') AND book NOT IN (book_id, '')
UNION ALL SELECT 12, 'read-along', question_id FROM options LEFT JOIN reach USING (scene_id) WHERE (back_scenes, back_words, back_symbols) IS DISTINCT FROM (CASE WHEN options.scene_id IS NULL OR options.scene > asked_at_scene THEN (-1, -1, -1)
  ELSE (context_scenes - options.scene, context_words - words_so_far + words, context_symbols - options.start_symbols) END) OR (back_tokens < 0) <> (back_scenes < 0)
-- 13. A repair is asked with the false text and answered with its true twin, of the scenes that its retelling covers.
UNION ALL SELECT 13, 'reconstruction', question_id FROM repairs LEFT JOIN twins ON distortion_id = regexp_replace(question_id, '/reconstruct$', '') LEFT JOIN told ON told.id = twins.summary_id
  LEFT JOIN scenes a ON a.book_id = repairs.book_id AND a.scene = repairs.first_scene LEFT JOIN scenes z ON z.book_id = repairs.book_id AND z.scene = repairs.last_scene
  WHERE distorted IS DISTINCT FROM twins.text OR answer IS DISTINCT FROM twin_text OR repairs.made_by IS DISTINCT FROM twins.made_by OR (repairs.first_scene, repairs.last_scene) IS DISTINCT FROM (told.first_scene, told.last_scene)
  OR evidence IS DISTINCT FROM [{'start_symbols': a.start_symbols, 'end_symbols': z.end_symbols}] OR repairs.level <> (CASE WHEN question_id LIKE '%/L%' THEN CAST(regexp_extract(question_id, '/L(\d+)/', 1) AS INTEGER) ELSE 0 END)
-- 14. What is chosen is what it was chosen from, cell by cell; the small set is in the large one; a prompt is its question.
UNION ALL SELECT 14, e.config, e.question_id FROM asked e LEFT JOIN asked r ON r.question_id = e.question_id AND r.config IN ('read-along', 'reconstruction') WHERE e.config IN ('eval', 'eval-small') AND
  (e.book_id, e.split, e.type, e.asked_at_scene, e.options, e.answer, e.evidence, e.made_by, e.demand_scenes, e.demand_words, e.demand_symbols, e.demand_end_symbols, e.demand_tokens_o200k_base, e.context_scenes, e.context_words,
  e.context_symbols, e.context_tokens_o200k_base) IS DISTINCT FROM (r.book_id, r.split, r.type, r.asked_at_scene, r.options, r.answer, r.evidence, r.made_by, r.demand_scenes, r.demand_words, r.demand_symbols, r.demand_end_symbols,
  r.demand_tokens_o200k_base, r.context_scenes, r.context_words, r.context_symbols, r.context_tokens_o200k_base)
UNION ALL SELECT 14, c.config, c.question_id FROM (SELECT 'eval' AS config, * EXCLUDE (filename) FROM eval UNION ALL SELECT 'eval-small', * EXCLUDE (filename) FROM eval_small) c LEFT JOIN read_along r USING (question_id) LEFT JOIN repairs p USING (question_id)
  WHERE source_config <> (CASE WHEN r.question_id IS NULL THEN 'reconstruction' ELSE 'read-along' END) OR c.reference IS DISTINCT FROM coalesce(p.answer, c.options[c.answer + 1]) OR c.level IS DISTINCT FROM coalesce(p.level, c.level) OR c.level < 0 OR c.level > 9
  OR NOT starts_with(c.question, coalesce(r.question, p.question)) OR NOT ends_with(c.question, coalesce(p.distorted, r.given[-1], r.question)) OR c.demands_symbols IS DISTINCT FROM coalesce(r.demands_symbols, c.demands_symbols)
UNION ALL SELECT 14, 'eval-small', question_id FROM eval_small ANTI JOIN eval USING (question_id)
UNION ALL SELECT 14, 'prompts', p.question_id FROM prompts p LEFT JOIN asked a ON a.question_id = p.question_id AND a.config = 'read-along' LEFT JOIN books b ON b.book_id = a.book_id WHERE (p.book_id, p.type, p.target, p.options, p.demand_words)
  IS DISTINCT FROM (a.book_id, a.type, CAST(a.answer + 1 AS VARCHAR), len(a.options), a.demand_words) OR NOT contains(p.prompt, '<text>' || chr(10) || left(b.text, a.context_symbols) || chr(10))
  OR NOT contains(p.prompt, array_to_string([format('{}) {}', i, a.options[i]) FOR i IN range(1, len(a.options) + 1)], chr(10)))
-- 15. A kind of question has one wording, what it is made of was written by whom it says, and what is far is not near.
UNION ALL SELECT 15, 'read-along', question_id FROM read_along QUALIFY question <> mode(question) OVER (PARTITION BY type)
UNION ALL SELECT 15, 'reconstruction', question_id FROM repairs QUALIFY question <> mode(question) OVER (PARTITION BY level)
UNION ALL SELECT 15, 'read-along', question_id FROM options LEFT JOIN told USING (id) LEFT JOIN twins ON distortion_id = id WHERE id <> '' AND options.made_by NOT IN ('both', coalesce(told.made_by, twins.made_by))
UNION ALL SELECT 15, 'read-along', question_id FROM read_along WHERE memload <> demand_scenes - 1 OR made_by NOT IN ('model', 'rule', 'both', '') OR (made_by = '') <> (type LIKE 'who-when%');
SELECT DISTINCT law, config, id FROM findings ORDER BY ALL;
