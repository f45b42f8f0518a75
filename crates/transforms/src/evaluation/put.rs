//! One request of the stage `answer`: a question in a setting, or several that are asked of the same text.

use std::{collections::BTreeMap, ops::Range};

use storymill_core::{
    Answer, Chat, Content, Cx, Exam, ExamQuestion, Fault, FaultKind, Form, Item, ModelAnswer,
    Request, Seed, Setting, Spent, Stage, Status, Stop,
};

use super::{
    answer::AnswerStage,
    claim_prompts::Prompts,
    counting::Counting,
    parse,
    said::{Told, unmarked, variables, variables_of_several},
    shown::{Offer, Page, Shown, Unasked},
};

/// Questions of one request, in a setting.
struct Put<'e> {
    asked: Vec<&'e ExamQuestion>,
    setting: Setting,
}

impl Item for Put<'_> {
    fn item_id(&self) -> String {
        let first = self.asked.first().map(|asked| asked.item_id()).unwrap_or_default();
        format!("{first}/{}", self.setting)
    }
}

impl AnswerStage {
    pub(super) fn exam(
        &self,
        exam: &Exam,
        page: &Page<'_>,
        asking: &Prompts<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<ModelAnswer>, Stop> {
        let puts = self.puts(exam)?;
        let rows = cx.each(&puts, |cx, put| self.put(exam, put, page, asking, cx))?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// The requests of an exam. What begins alike is asked one after another: that is what servers' caches are made for.
    fn puts<'e>(&self, exam: &'e Exam) -> Result<Vec<Put<'e>>, Fault> {
        let settings = self.settings.iter().map(|name| name.parse::<Setting>());
        let settings: Vec<Setting> = settings.collect::<Result<_, _>>().map_err(|wrong| {
            Fault::new(FaultKind::Input, "a setting cannot be read").because(wrong)
        })?;
        let puts = settings.into_iter().flat_map(|setting| {
            let together = self.together(exam, setting);
            together.into_iter().map(move |asked| Put { asked, setting })
        });
        Ok(puts.collect())
    }

    /// The questions of each request. Those go together that stand one after another, have options and are asked of the
    /// same text.
    fn together<'e>(&self, exam: &'e Exam, setting: Setting) -> Vec<Vec<&'e ExamQuestion>> {
        let alone = matches!(setting, Setting::Evidence | Setting::Retrieved(_));
        let most = if alone { 1 } else { self.per_request as usize };
        let mut groups: Vec<Vec<&ExamQuestion>> = Vec::new();
        for asked in &exam.questions {
            let chosen = |one: &ExamQuestion| matches!(one.question.form, Form::Options { .. });
            let fits = |group: &&mut Vec<&ExamQuestion>| {
                group.len() < most
                    && group.iter().all(|one| {
                        let same = one.question.context == asked.question.context;
                        same && one.config == asked.config && chosen(one) && chosen(asked)
                    })
            };
            match groups.last_mut().filter(fits) {
                Some(group) => group.push(asked),
                None => groups.push(vec![asked]),
            }
        }
        groups
    }

    fn put(
        &self,
        exam: &Exam,
        put: &Put<'_>,
        page: &Page<'_>,
        asking: &Prompts<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<ModelAnswer>, Stop> {
        let Some(first) = put.asked.first() else { return Ok(Vec::new()) };
        let stream = cx.stream(&first.item_id(), "evidence");
        let shown = page.offered(&self.offer(first, asking), put.setting, stream)?;
        let shown = page.within(shown, self.room(exam, put, page, asking)?, self.too_long)?;
        if shown.unasked == Some(Unasked::NoEvidence) {
            return Err(Stop::left_out("no-evidence", "nobody knows its evidence"));
        }
        let row = |(at, asked): (usize, &&ExamQuestion)| ModelAnswer {
            question: asked.question.id.clone(),
            config: asked.config.clone(),
            of: exam.of.clone(),
            model: if self.called.is_empty() { &self.model } else { &self.called }.clone(),
            setting: put.setting.to_string(),
            status: Status::DoesNotFit,
            said: String::new(),
            answer: String::new(),
            spent: Spent {
                offered: shown.offered,
                shown: shown.left,
                cut: shown.cut.to_owned(),
                limit: Some(self.max_tokens),
                place: u8::try_from(at).unwrap_or(u8::MAX),
                ..Spent::default()
            },
        };
        let mut rows: Vec<ModelAnswer> = put.asked.iter().enumerate().map(row).collect();
        if shown.unasked.is_some() {
            return Ok(rows);
        }
        let chat = self.chat(exam, put, &shown, asking)?;
        let request = |_: Option<&_>| Request {
            model: self.model.clone(),
            content: Content::Chat(chat.clone()),
            tries: 1,
        };
        let answer: Answer = cx.ask(0, request, |answer| Ok(answer.clone()))?;
        let written = cx.written()?;
        let questions: Vec<_> = put.asked.iter().map(|asked| &asked.question).collect();
        let read = match questions[..] {
            [question] => vec![parse::read(question, &answer, written, self.max_tokens)],
            _ => parse::read_each(&questions, &answer, written, self.max_tokens),
        };
        for (at, (row, (status, said))) in rows.iter_mut().zip(read).enumerate() {
            (row.status, row.answer) = (status, said);
            row.said.clone_from(&answer.text);
            // What was written for all of them is counted once.
            let once = |count: u32| if at == 0 { count } else { 0 };
            row.spent.output = written.map(|one| once(one.output.saturating_sub(one.thinking)));
            row.spent.thinking = written.map(|one| once(one.thinking));
        }
        Ok(rows)
    }

    /// The story that is shown in place of the whole book.
    fn story_of<'e>(&self, asked: &'e ExamQuestion) -> Option<&'e Range<u32>> {
        asked.story.as_ref().filter(|_| self.story)
    }

    /// What is to be shown for a question.
    fn offer<'e>(&self, asked: &'e ExamQuestion, asking: &Prompts<'_>) -> Offer<'e> {
        let question = &asked.question;
        Offer { question, story: self.story_of(asked), marked: asking.marks(question) }
    }

    /// How many questions of an exam would not be put to the model, by setting and why.
    ///
    /// # Errors
    ///
    /// A setting cannot be read, or nobody here counts its tokens.
    pub fn unasked(&self, exam: &Exam) -> Result<BTreeMap<(String, Unasked), u64>, Stop> {
        let asking = self.prompts()?;
        let counting = Counting::new(self.tokens, self.tokenizer.as_ref())?;
        let page = Page::new(exam, &counting);
        let mut counts = BTreeMap::new();
        for put in self.puts(exam)? {
            let Some(first) = put.asked.first() else { continue };
            // What is drawn in place of evidence is as long whatever is drawn.
            let stream = Seed::new(0).derive(Self::KIND, &exam.of, &first.item_id(), "evidence");
            let shown = page.offered(&self.offer(first, &asking), put.setting, stream)?;
            let room = self.room(exam, &put, &page, &asking)?;
            if let Some(why) = page.within(shown, room, self.too_long)?.unasked {
                *counts.entry((put.setting.to_string(), why)).or_default() +=
                    put.asked.len() as u64;
            }
        }
        Ok(counts)
    }

    /// How many tokens of context there is room for.
    fn room(
        &self,
        exam: &Exam,
        put: &Put<'_>,
        page: &Page<'_>,
        asking: &Prompts<'_>,
    ) -> Result<Option<u32>, Fault> {
        let Some(window) = self.window else { return Ok(None) };
        let bare = self.chat(exam, put, &Shown::default(), asking)?;
        let told: u32 = bare.texts().filter_map(|text| page.counting.count(text)).sum();
        Ok(Some(window.saturating_sub(self.max_tokens).saturating_sub(told)))
    }

    fn chat(
        &self,
        exam: &Exam,
        put: &Put<'_>,
        shown: &Shown<'_>,
        asking: &Prompts<'_>,
    ) -> Result<Chat, Fault> {
        let named = put.setting == Setting::Title;
        let setting = put.setting.to_string();
        let told = Told {
            shown: &shown.text,
            setting: setting.split('-').next().unwrap_or_default(),
            title: if named { &exam.title } else { "" },
            author: if named { &exam.author } else { "" },
            language: &exam.language,
        };
        let questions: Vec<_> = put.asked.iter().map(|asked| &asked.question).collect();
        if let [asked] = put.asked[..] {
            let story = self.story_of(asked).is_some();
            if let Some(chat) = asking.claim(&asked.question, put.setting, shown, story)? {
                return Ok(Chat { max_tokens: Some(self.max_tokens), ..chat });
            }
        }
        let asking = &asking.asking;
        let chat = match questions[..] {
            [question] => asking.with(0).prompt.chat(&variables(question, told))?,
            _ => asking.with(1).prompt.chat(&variables_of_several(&questions, told))?,
        };
        Ok(Chat { max_tokens: Some(self.max_tokens), ..unmarked(chat) })
    }
}
