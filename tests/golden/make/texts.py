"""What `make.py` puts into the golden set: questions, claims and judgements about the two books, written for it."""

# Question, first answer, second answer.
ANSWERS = [
    ("By how much was the oil bill wrong?", "By forty gallons.", "It was wrong by forty gallons"),
    ("Who signed the ledger?", "Walter Bolitho, in the name of Peter Nance.", "Walter signed it with Peter Nance's name."),
    ("Where did Hannah go with the bill?", "To the store of Mr. Bolitho at Porthmellin.", "To Mr. Bolitho's store"),
    ("What did Walter buy with the money?", "A watch chain", "A silver watch chain."),
    ("How long did Walter stay on Gull Rock?", "Thirty-one years", "31 years"),
    ("Was Samuel Bolitho in the store that day?", "No", "no."),
    ("Had Peter Nance signed for the oil?", "No, he had not.", "No"),
    ("Who is Jacob Tregear?", "Hannah's father, the keeper of the light.", "The lighthouse keeper, who is the father of Hannah."),
    ("What did the capital in the ledger have?", "A loop.", "It had a loop, and Peter made his like a gate."),
    ("Where did the other four casks go?", "Up to the Manor.", "To the ball of Sir Giles Penrose at the Manor."),
    ("Who carried the oil?", "Dennis Pascoe", "A carter named Dennis Pascoe with his mare"),
    ("Why had the trees four hundred lamps?", "For a ball.", "There was a wedding in the village."),
    ("What did Margaret Lisle leave the vicar?", "Her parrot.", "her parrot"),
    ("What did the parrot say?", "“Pay Robert.”", "Pay Robert"),
    ("How many men called Robert were there?", "Four", "There were 4 of them."),
    ("What was the wager?", "That the doctor would ask her to marry him.", "Two hundred pounds that he would dare to ask for her hand."),
    ("How did the doctor pay?", "In gold, the next morning.", "He paid in gold the very next morning."),
    ("Where was the money found?", "In a canvas bag in the drawer.", "In the lower drawer, in a bag of canvas tied with ribbon."),
    ("What colour was the ribbon?", "Green", "Green."),
    ("Did the vicar get his parrot?", "No, it lives with the doctor.", "Yes"),
    ("Where did Clara teach?", "At Norwich.", "Harwell"),
    ("Who owed whom?", "She wrote the debt down because she thought that he had won.", "Nobody owed anybody anything."),
]

# Language, prediction, answer, keywords.
CASES = [
    ("en", "Hannah asked the carter, and the carter told her about the Manor.", "The carter told Hannah that four casks went to the Manor.", "Manor"),
    ("en", "Forty gallons of it were missing.", "forty gallons", "forty"),
    ("en", "It went to the ball of a baronet and to no one else.", "The oil was sold to the steward of the Manor for four pounds.", "steward four pounds"),
    ("en", "The nephew.", "Walter Bolitho", "Walter Bolitho"),
    ("en", "Dr. Sayle paid two hundred pounds. He paid in gold.", "Dr. Sayle paid two hundred pounds in gold.", None),
    ("en", "He was with the men of the house and it was from him.", "It was the doctor of the house that paid, and it was from him.", "the doctor of the house and from him"),
    ("zh", "灯塔的账单错了四十加仑。", "账单上的油多了四十加仑。", "四十加仑"),
    ("zh", "汉娜去了码头的商店。", "她去了码头边的商店。", "商店"),
    ("zh", "医生付了金币。", "医生第二天早上用金币付了钱。", None),
    ("zh", "我不知道。", "鹦鹉住在医生的家里。", "医生"),
    ("zh", "鹦鹉说的是：付给罗伯特。", "付给罗伯特", "罗伯特"),
    ("zh", "老人每天晚上都大声读书。", "老人喜欢大声读账单。", "大声 账单"),
    ("zh", "The answer is 1884 年。", "1884年的春天", "1884"),
    ("zh", "他在岛上住了三十一年，后来成了看守灯塔的人。", "他住了三十一年，成了看守人。", "三十一年"),
    ("zh", "丝带是绿色的", "绿色", None),
    ("zh", "他们在学校门口等老师。", "医生没有来。", None),
]
STOP_EN = "and to of in was with for it from is that his he by she had on at".split()
STOP_ZH = "的 了 在 是 他 她 它 们 他们 和 也 都 有 我 不 上 里 说 到 去".split()
MARKS_ZH = "，。！？：；、“”‘’《》（）"

# What a system said, by a letter: true or false in a tag, true or false in words, a false with a trap, nothing that counts, not asked.
SAID = {
    "T": "<explanation>The book says so in its last chapter.</explanation>\n<answer>TRUE</answer>",
    "F": "The ledger says otherwise, as a true or false question should allow.\n<answer> false </answer>",
    "t": "This is TRUE, although a careless reader might call it false.",
    "f": "False. The carter tells it otherwise; nothing of this is true.",
    "n": "<answer>It is not true that “{claim}”</answer>",
    "?": "I cannot find this passage in the excerpt.",
    "-": "SKIPPED",
}
SYSTEMS = ["response-careful", "response-careless", "response-hasty"]

# Book, true claim, false claim, why, and for each system what it said of the true and of the false one.
CLAIMS = [
    (0, "Hannah Tregear discovers that the oil bill is forty gallons too high.", "Hannah Tregear discovers that the oil bill is forty gallons too low.", "The bill asks for ninety gallons, and fifty came.", ["TF", "TT", "tn"]),
    (0, "Walter Bolitho buys a watch chain with the money that the casks brought him.", "Walter Bolitho buys a violin with the money that the casks brought him.", "He has a new watch chain.", ["TF", "Ff", "tt"]),
    (0, "Dennis Pascoe carries fifty gallons down to the quay and the rest to the Manor.", "Dennis Pascoe carries ninety gallons down to the quay and nothing to the Manor.", "Four casks went up to the Manor.", ["tn", "tt", "??"]),
    (0, "Samuel Bolitho was buying rope in Truro when the ledger was signed.", "Samuel Bolitho was weighing nails in his store when the ledger was signed.", "He was at Truro that day.", ["--", "tf", "T?"]),
    (0, "Walter Bolitho becomes the keeper of the light on Gull Rock in his old age.", "Walter Bolitho becomes the steward of the Manor in his old age.", "He stays on the rock and keeps the light.", ["TF", "fT", "nT"]),
    (1, "Clara Lisle finds the two hundred sovereigns in a bag with a green ribbon.", "Clara Lisle finds the two hundred sovereigns in a box without a key.", "They lie in a canvas bag.", ["TF", "tn", "--"]),
    (1, "Dr. Robert Sayle paid Margaret Lisle in gold because he had not dared to propose to her.", "Dr. Robert Sayle paid Margaret Lisle in gold because he had borrowed money from her.", "It was a wager.", ["Tn", "TF", "tf"]),
    (1, "The parrot of Margaret Lisle ends up in the surgery of Dr. Sayle.", "The parrot of Margaret Lisle ends up in the vestry of Mr. Thorne.", "The vicar never gets it.", ["tF", "ft", "TF"]),
]

# Pairs with one fault each, which the lint must find.
BROKEN = [
    ("not-minimal", 0, "Jacob Tregear reads the oil bill aloud in the lantern room while he trims the wick.", "Dennis Pascoe keeps a nineteen-year-old mare in a cottage with a blue door near Truro."),
    ("several-sentences", 0, "Hannah Tregear crosses to Porthmellin by boat. She takes the bill with her.", "Hannah Tregear crosses to Porthmellin by boat. She takes the ledger with her."),
    ("entity-swap", 0, "Dennis Pascoe laughs when he is told of ninety gallons of oil.", "Peter Nance laughs when he is told of ninety gallons of oil."),
    ("negation-only", 1, "Clara Lisle takes the bag of gold to the square house that evening.", "Clara Lisle never takes the bag of gold to the square house that evening."),
    ("names-nobody", 1, "She asks four men whether they ever lent the money.", "She asks two men whether they ever lent the money."),
    ("subjective", 0, "Walter Bolitho is arguably the most interesting person in the whole story.", "Walter Bolitho is arguably the most boring person in the whole story."),
    ("copied", 0, "Hannah Tregear had kept the accounts of the lighthouse for eleven years, and in all that time the oil had never been wrong by more than a pint.", "Hannah Tregear had kept the accounts of the lighthouse for eleven years, and in all that time the oil had never been right by more than a pint."),
    ("duplicate", 1, "Clara Lisle finds the two hundred sovereigns in a bag with a green ribbon.", "Clara Lisle finds the two hundred sovereigns in a box without a lid."),
]

RETELLING = [
    "Hannah finds that the oil bill is too high.",
    "She rows to Porthmellin to ask Mr. Bolitho about it.",
    "The ledger holds a name that Peter Nance did not write.",
    "The carter tells her that four casks went to the Manor.",
    "Walter has sold them and bought a chain.",
    "He works on the rock until the money is paid.",
]

# Split, model, how hard its error is to find (none where it is faithful), sentences, labels of sentences, claims.
# The last but one has a sentence without a label, and the last none that is labelled wrong.
SUMMARIES = [
    ("val", "first", "", 4, [1, 1, 1, 1], 5),
    ("val", "second", "easy", 4, [1, 0, 1, 1], 4),
    ("val", "first", "hard", 5, [1, 1, 0, 1, 0], 6),
    ("val", "second", "", 3, [1, 1, 1], 3),
    ("test", "first", "easy", 4, [0, 1, 1, 1], 5),
    ("test", "second", "", 6, [1, 1, 1, 1, 1, 1], 6),
    ("test", "first", "", 5, [1, 1, 1, 1, 1], 5),
    ("test", "second", "hard", 4, [1, 1, 1, 0], 4),
    ("val", "first", "hard", 4, [1, 0, 0, 1], 4),
    ("test", "second", "easy", 3, [0, 0, 1], 3),
    ("test", "first", "hard", 5, [1, 1, 0, 1], 5),
    ("test", "second", "hard", 4, [1, 1, 1, 1], 4),
]
JUDGES = {
    "lenient": [1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1],
    "strict": [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0],
    "scorer": [0.91, 0.35, 0.62, 0.58, 0.21, 0.88, 0.49, 0.57, 0.31, 0.32, 0.44, 0.66],
}
