//! Writes the question sets that come with storymill, `data/sets/*.jsonl`: what is written by hand
//! in `data/sets/written`, among articles of an invented gazetteer that are put together here. Run
//! it when a question or a phrase changes:
//!
//! ```text
//! cargo run --release --example write_sets
//! ```
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::{error::Error, fs, path::Path};

use serde::Deserialize;
use serde_json::json;
use storymill_core::{Seed, Stream, UnitId};

/// A question as it is written by hand, with what a model is told to have answered.
#[derive(Deserialize)]
struct Written {
    id: String,
    question: String,
    answer: String,
    /// Title and the sentences that hold the evidence.
    documents: Vec<(String, String)>,
}

/// What articles are put together from. Slots stand in braces.
struct Phrases {
    /// The names of articles: how they are put together.
    names: &'static [&'static str],
    /// Sentences about an article's subject.
    sentences: &'static [&'static str],
    /// What fills slots.
    slots: &'static [(&'static str, &'static [&'static str])],
    /// What parts sentences.
    gap: &'static str,
    /// How many sentences an article has: at least, at most.
    length: (u32, u32),
    /// How many articles there are.
    articles: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sets");
    for (set, phrases) in [("lanterns", &ENGLISH), ("tideng", &CHINESE)] {
        let written = fs::read_to_string(folder.join(format!("written/{set}.jsonl")))?;
        let unit: UnitId = set.parse()?;
        let mut lines = Vec::new();
        for line in written.lines().filter(|line| !line.is_empty()) {
            let one: Written =
                serde_json::from_str(line).map_err(|error| format!("{set}: {line}: {error}"))?;
            let documents: Vec<_> = one
                .documents
                .iter()
                .map(|(title, evidence)| {
                    let mut stream = Seed::new(10).derive("write-sets", &unit, title, "evidence");
                    let mut sentences = phrases.article(title, &mut stream);
                    let at = stream.index(sentences.len()).unwrap_or(0);
                    sentences.insert(at, evidence.clone());
                    json!({ "title": title, "text": sentences.join(phrases.gap) })
                })
                .collect();
            let row = json!({ "id": one.id, "question": one.question, "answers": [one.answer], "documents": documents });
            lines.push(row.to_string());
        }
        let mut names = Vec::new();
        for at in 0..phrases.articles {
            let mut stream = Seed::new(10).derive("write-sets", &unit, &at.to_string(), "article");
            let mut name = phrases.name(&mut stream);
            while names.contains(&name) {
                name = phrases.name(&mut stream);
            }
            let text = phrases.article(&name, &mut stream).join(phrases.gap);
            let row = json!({ "id": format!("a{at:03}"), "documents": [{ "title": name, "text": text }] });
            lines.push(row.to_string());
            names.push(name);
        }
        let path = folder.join(format!("{set}.jsonl"));
        fs::write(&path, lines.join("\n") + "\n")?;
        println!("{}: {} lines", path.display(), lines.len());
    }
    Ok(())
}

impl Phrases {
    fn name(&self, stream: &mut Stream) -> String {
        let name = stream.choose(self.names).copied().unwrap_or_default();
        self.fill(name, "", stream)
    }

    /// The sentences of an article about something of this name, no two from one phrase.
    fn article(&self, name: &str, stream: &mut Stream) -> Vec<String> {
        let mut order: Vec<&str> = self.sentences.to_vec();
        stream.shuffle(&mut order);
        let (least, most) = self.length;
        let count = least + stream.below(most - least + 1);
        order.truncate(count as usize);
        order.into_iter().map(|sentence| self.fill(sentence, name, stream)).collect()
    }

    fn fill(&self, phrase: &str, name: &str, stream: &mut Stream) -> String {
        let mut text = String::new();
        let mut rest = phrase;
        while let Some((before, slot)) = rest.split_once('{') {
            let (slot, behind) = slot.split_once('}').unwrap_or((slot, ""));
            text += before;
            match slot {
                "it" => text += name,
                "year" => text += &(1_690 + stream.below(240)).to_string(),
                "number" => text += &(3 + stream.below(96)).to_string(),
                _ => {
                    let words = self.slots.iter().find(|(known, _)| *known == slot);
                    let words = words.map_or(&[][..], |(_, words)| words);
                    assert!(!words.is_empty(), "no words for `{slot}`");
                    text += stream.choose(words).copied().unwrap_or_default();
                }
            }
            rest = behind;
        }
        text + rest
    }
}

const ENGLISH: Phrases = Phrases {
    gap: " ",
    length: (9, 12),
    articles: 250,
    names: &[
        "{first} {last}",
        "{first} {last}",
        "{place}{end}",
        "{place}{end} {feature}",
        "The {adjective} {house}",
        "The {craft}' Company of {place}{end}",
        "The {adjective} {vessel}",
    ],
    sentences: &[
        "The county register gives {it} half a page, most of it struck out in {year} by a clerk who preferred {matter}.",
        "Travellers who ask after {it} are told to wait for the carrier, who comes on {day} and talks of little else.",
        "{first} {last}, {trade} of {place}{end}, left a description of {it} in the margins of a {paper}.",
        "A {adjective} wind blows there for {number} days in the year, and the people count by it.",
        "The oldest mention of {it} is in a {paper} of {year}, where the name is spelt in three ways on one line.",
        "In {year} a committee of {number} met to decide what should be done about {it}, and dined.",
        "Children in {place}{end} sing a rhyme about {it} that no two streets sing alike.",
        "The {trade} {first} {last} spent {number} pounds on it and declared himself content.",
        "Nothing was written down between {year} and the great {weather}, when the {paper} was lost.",
        "It is said in {place}{end} that whoever speaks ill of {it} will find {matter} in his porridge.",
        "A print by {first} {last} shows it at {hour}, with a {animal} in the foreground for scale.",
        "The road was mended with {matter} after the {weather} of {year}, and has been the better for it.",
        "Every {season} the {craft} walk there in their aprons, and every {season} it rains.",
        "{first} {last} wrote to the newspaper that {it} had been misunderstood, and enclosed {number} stamps.",
        "A {animal} was kept on the premises until {year}, and drew a small pension.",
        "The {craft} of {place}{end} claim the honour for themselves, on the strength of a single {tool}.",
        "An inventory lists {number} chairs, a {tool}, two barrels of {matter} and a picture turned to the wall.",
        "Of the {number} witnesses heard in {year}, all but one remembered the {weather} and nothing more.",
        "The present owner, a {trade}, opens the gate on {day} and closes it when he is tired.",
        "What became of the {tool} is not known; a {tool} very like it was sold at {place}{end} fair.",
        "Schoolmasters use {it} as an example of patience, and their pupils as an example of the opposite.",
        "It was painted white in {year}, over the protest of a {trade} who had supplied other paint.",
        "The accounts show {number} shillings for {matter} and nothing at all for the {trade}.",
        "When the {weather} came the people of {place}{end} went up to the {feature} with their hens and their ledgers.",
        "Letters addressed to {it} are delivered by a {animal} cart, and arrive in the order of their weight.",
        "Professor {last} holds that the custom came from {place}{end}; his wife, who was born there, denies it.",
        "A fine of {number} pence was set on whistling in the neighbourhood, and is still collected.",
        "The bridge beyond it was built by {craft} who had never seen one, and it has outlived the others.",
        "In the {season} of {year} a {vessel} was drawn up on the grass and rented to a family of {craft}.",
        "The sign was carved by {first} {last} from the door of a {house}, and shows the grain of it still.",
        "Its fame rests on {matter}, which the {craft} carry away by the handful for luck.",
        "By an old agreement the {trade} may graze one {animal} there between {hour} and sunset.",
        "Nobody has explained the {number} nails in the lintel, though {first} {last} counted them twice.",
        "The judge who came in {year} to settle the matter settled there himself, and took up {craft}' work.",
        "A lamp is lit on the {feature} whenever a {vessel} is late, and put out with ceremony.",
        "At {hour} on {day} one may hear the {tool} from as far as {place}{end}, if the air is dry.",
        "The garden was laid out by a {trade} after a plan that he had dreamt, with {number} beds of leeks.",
        "Of its three chimneys one is for smoke, one for swallows and one, says the {paper}, for appearances.",
        "The {paper} of {place}{end} printed a correction in {year} and a correction of it a week later.",
        "Old people call it by another name, and will not say which.",
        "It was twice offered for sale, and twice withdrawn when the {animal} would not leave.",
        "There is a tradition that {first} {last} slept there before the {weather}, on a sack of {matter}.",
    ],
    slots: &[
        (
            "first",
            &[
                "Abel", "Bettina", "Crispin", "Delia", "Ezra", "Flora", "Gideon", "Hester",
                "Ignatius", "Joan", "Kester", "Lettice", "Matthias", "Nell", "Orlando", "Prudence",
                "Quentin", "Ruth", "Silas", "Tabitha", "Urban", "Verity", "Wystan", "Zillah",
            ],
        ),
        (
            "last",
            &[
                "Ackroyd",
                "Bell",
                "Cotter",
                "Dace",
                "Eddowes",
                "Frayne",
                "Garth",
                "Holloway",
                "Ibbot",
                "Jessop",
                "Keel",
                "Larch",
                "Mudge",
                "Nash",
                "Oddie",
                "Pike",
                "Quill",
                "Rudd",
                "Sorrel",
                "Teague",
                "Underhill",
                "Venn",
                "Wragg",
                "Yeo",
            ],
        ),
        (
            "place",
            &[
                "Al", "Bur", "Cal", "Den", "El", "Fern", "Gil", "Hart", "Ing", "Kel", "Lang",
                "Mel", "Nor", "Ows", "Pil", "Ram", "Sten", "Thor", "Ul", "Wes",
            ],
        ),
        (
            "end",
            &[
                "ford", "wick", "stead", "combe", "thwaite", "ness", "bridge", "holm", "mouth",
                "ley", "dale", "church",
            ],
        ),
        ("feature", &["Down", "Gap", "Beacon", "Marsh", "Ridge", "Cross", "Well", "Common"]),
        (
            "adjective",
            &[
                "Crooked",
                "Quiet",
                "Second",
                "Northern",
                "Forgotten",
                "Double",
                "Leaning",
                "Late",
                "Hollow",
                "Patient",
            ],
        ),
        (
            "house",
            &[
                "Granary",
                "Inn",
                "Almshouse",
                "Observatory",
                "Toll-house",
                "Smithy",
                "Orchard",
                "Bath",
            ],
        ),
        ("vessel", &["Barge", "Ketch", "Schooner", "Lugger", "Smack"]),
        (
            "craft",
            &[
                "Coopers",
                "Saddlers",
                "Glovers",
                "Wheelwrights",
                "Candle-makers",
                "Thatchers",
                "Tilers",
                "Potters",
            ],
        ),
        (
            "trade",
            &[
                "apothecary",
                "auctioneer",
                "beekeeper",
                "bookbinder",
                "drover",
                "ironmonger",
                "notary",
                "organist",
                "pedlar",
                "schoolmaster",
                "sexton",
                "stonemason",
            ],
        ),
        (
            "paper",
            &[
                "almanac",
                "cookery book",
                "deed",
                "gazette",
                "hymnal",
                "lease",
                "parish roll",
                "pocket diary",
                "sermon",
            ],
        ),
        (
            "matter",
            &[
                "blue clay",
                "cinders",
                "dried peas",
                "feathers",
                "goose fat",
                "gravel",
                "mustard seed",
                "oyster shells",
                "sawdust",
                "tallow",
                "turnips",
            ],
        ),
        ("weather", &["drought", "earthquake", "fog", "gale", "hail", "heat", "snow", "thaw"]),
        (
            "day",
            &[
                "Mondays",
                "Tuesdays",
                "Wednesdays",
                "Thursdays",
                "Fridays",
                "Saturdays",
                "market days",
                "the eve of every fair",
            ],
        ),
        ("hour", &["daybreak", "nine", "noon", "four", "dusk", "low tide"]),
        ("season", &["spring", "summer", "autumn", "winter"]),
        ("animal", &["donkey", "goat", "goose", "hound", "peacock", "pony", "sow", "terrier"]),
        (
            "tool",
            &[
                "anvil",
                "bucket",
                "churn",
                "loom",
                "mangle",
                "pump",
                "saw",
                "weighing machine",
                "whetstone",
            ],
        ),
    ],
};

const CHINESE: Phrases = Phrases {
    gap: "",
    length: (9, 12),
    articles: 160,
    names: &["{地}{名}", "{地}{尾}", "{姓}{字}{字}", "{姓}家{铺}", "{地}{尾}{景}"],
    sentences: &[
        "县志里关于{it}的记载只有半页，其中一大半又被{年间}的书吏划掉了。",
        "外乡人打听{it}，本地人总叫他去问赶车的，赶车的逢{日}才来。",
        "{地}{尾}的{匠}{姓}{字}在一本{书}的空白处写过几行，说的正是这件事。",
        "那里每年要刮{数}天的风，人们就拿风来记日子。",
        "最早提到{it}的是一册{年间}的{书}，同一行里写错了两个字。",
        "{年间}曾有{数}位乡绅坐在一处商议怎么办，商议完了便吃饭。",
        "{地}{尾}的孩子有一首唱它的歌谣，两条街的唱法却不一样。",
        "{匠}{姓}{字}{字}为它花了{数}吊钱，说是心安了。",
        "自从那场{灾}以后，许多年没有人提起，{书}也不知去向。",
        "老人说，谁要是讲它的坏话，第二天碗里准有{物}。",
        "有一幅旧画，画的是{时}的光景，角上添了一只{兽}。",
        "路是{年间}用{物}重新铺过的，从那以后反而好走。",
        "每到{季}，{匠}们都穿着围裙走上一趟，每一回都要下雨。",
        "{姓}{字}{字}写信给衙门，说众人都误会了，信里还夹着{数}枚铜钱。",
        "院里曾养过一只{兽}，一直养到{年间}，每月还领半斗口粮。",
        "{地}{尾}的{匠}们说这是他们的功劳，凭据只有一把{器}。",
        "清单上写着{数}张凳子、一把{器}、两坛{物}，还有一幅面朝墙挂着的画。",
        "当年问过的{数}个证人，人人都记得那场{灾}，别的都忘了。",
        "如今的主人是个{匠}，逢{日}开门，累了就关。",
        "那把{器}后来不见了，有人在{地}{尾}的集上见过一把一样的。",
        "先生拿它教学生要有耐心，学生拿它笑先生太有耐心。",
        "{年间}有人把墙刷白了，卖另一种漆的{匠}为此三年没有说话。",
        "账上记着{物}用去{数}文，给{匠}的工钱却一文也没有写。",
        "那年{灾}来的时候，{地}{尾}的人抱着鸡和账本往高处走。",
        "寄到那里的信由一辆{兽}车送，先送重的，后送轻的。",
        "{姓}先生考证说这风俗来自{地}{尾}，他的娘子正是那里人，说没有这回事。",
        "附近不许吹口哨，吹一声罚{数}文，至今照收。",
        "再往前有一座桥，造桥的{匠}从没见过桥，那桥倒比别的都牢。",
        "{季}里常有船搁在草上，租给过路的{匠}一家住。",
        "招牌是{姓}{字}拿旧门板刻的，木纹还看得清。",
        "它的名气全在{物}，{匠}们出门都要抓一把带走。",
        "照老规矩，{匠}可以在那里放一只{兽}，从{时}放到天黑。",
        "门楣上有{数}颗钉子，来历谁也说不清，{姓}{字}{字}数过两遍。",
        "{年间}来断案的官员断不下去，索性住下来学了手艺。",
        "逢{日}的{时}，若是天晴，远在{地}{尾}也听得见{器}的响声。",
        "园子是一个{匠}照着梦里的样子修的，种了{数}畦葱。",
        "三个烟囱，一个走烟，一个住燕，还有一个据{书}上说是为了好看。",
        "老辈人另有一个叫法，只是不肯说出来。",
        "两次有人要买，两次都因为那只{兽}不肯走而作罢。",
        "相传{姓}{字}在{灾}的前夜睡在那里，枕的是一袋{物}。",
    ],
    slots: &[
        ("地", &["东", "西", "上", "下", "大", "新", "双", "平", "宁", "高", "长", "乌"]),
        ("尾", &["坪", "屯", "浦", "洲", "关", "集", "营", "墩", "沟", "圩"]),
        ("名", &["井", "窑", "磨坊", "茶亭", "社仓", "义渡", "鼓楼", "药圃"]),
        ("景", &["社", "会馆", "老树", "石桥", "水闸"]),
        ("铺", &["酒坊", "铁铺", "书坊", "油坊", "饼店", "木行"]),
        (
            "姓",
            &[
                "曹", "邓", "范", "葛", "胡", "江", "康", "林", "毛", "倪", "潘", "施", "唐", "吴",
                "谢", "袁", "邹",
            ],
        ),
        (
            "字",
            &[
                "安", "秉", "承", "德", "恩", "广", "恒", "俭", "克", "礼", "敏", "朴", "勤", "仁",
                "淑", "廷", "文", "贤", "义", "贞",
            ],
        ),
        (
            "匠",
            &["篾匠", "泥瓦匠", "裁缝", "郎中", "货郎", "账房", "秀才", "箍桶匠", "塾师", "剃头匠"],
        ),
        ("书", &["黄历", "族谱", "地契", "账簿", "药方", "戏本", "游记"]),
        ("物", &["炒豆", "炭灰", "谷糠", "河泥", "鹅毛", "碎瓦", "松针", "菜籽"]),
        ("灾", &["大旱", "大雪", "冰雹", "地动", "狂风", "蝗灾"]),
        ("日", &["初一", "初五", "十五", "集日", "单日", "双日"]),
        ("时", &["天明", "晌午", "黄昏", "掌灯", "头更"]),
        ("季", &["开春", "入夏", "立秋", "入冬"]),
        ("兽", &["羊", "驴", "鹅", "猫", "骡子", "黄狗"]),
        ("器", &["铁锤", "辘轳", "石磨", "木锯", "风箱", "织机", "斧头"]),
        ("数", &["三", "五", "七", "九", "十一", "十三", "二十", "三十六", "四十八"]),
        (
            "年间",
            &["前朝末年", "丙子年", "己卯年", "壬午年", "乙酉年", "戊戌年", "庚申年", "癸亥年"],
        ),
    ],
};
