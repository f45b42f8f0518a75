use super::*;
use storymill_metrics::shortcut::Map;

const CONFIG: &str = r#"{"hidden_act": "gelu", "attention_probs_dropout_prob": 0.1, "hidden_dropout_prob": 0.1,
    "initializer_range": 0.02, "hidden_size": 8, "intermediate_size": 16, "max_position_embeddings": 192,
    "num_attention_heads": 2, "num_hidden_layers": 1, "type_vocab_size": 2, "vocab_size": 105,
    "id2label": {"0": "O", "1": "B-PER", "2": "I-PER", "3": "B-ORG", "4": "B-LOC", "5": "I-LOC"}}"#;

fn vocabulary() -> String {
    let mut lines: Vec<String> = (0..100).map(|n| format!("[unused{n}]")).collect();
    lines.extend(["[UNK]", "[CLS]", "[SEP]", "emma", "."].map(str::to_owned));
    lines.join("\n")
}

/// A model of drawn weights, in both forms.
fn weights() -> (Vec<u8>, Vec<u8>) {
    tch::manual_seed(7);
    let store = VarStore::new(Device::Cpu);
    let config: BertConfig = serde_json::from_str(CONFIG).unwrap();
    let _model = BertForTokenClassification::new(store.root(), &config).unwrap();
    let mut own = Cursor::new(Vec::new());
    store.save_to_stream(&mut own).unwrap();
    let tensors: BTreeMap<String, (Vec<usize>, Vec<u8>)> = store
        .variables()
        .into_iter()
        .map(|(name, tensor)| {
            let shape = tensor.size().into_iter().map(|size| usize::try_from(size).unwrap());
            let numbers: Vec<f32> = Vec::try_from(tensor.flatten(0, -1)).unwrap();
            (name, (shape.collect(), numbers.into_iter().flat_map(f32::to_le_bytes).collect()))
        })
        .collect();
    let views: Map<String, safetensors::tensor::TensorView<'_>> = tensors
        .iter()
        .map(|(name, (shape, bytes))| {
            let view = safetensors::tensor::TensorView::new(Dtype::F32, shape.clone(), bytes);
            (name.clone(), view.unwrap())
        })
        .collect();
    (own.into_inner(), safetensors::serialize(&views, &None).unwrap())
}

fn load(config: &str, vocabulary: &str, weights: &[u8]) -> Result<RustBert, Fault> {
    RustBert::load(&Files { config, vocabulary, weights })
}

#[test]
fn both_forms_of_weights_say_the_same() {
    let (own, safe) = weights();
    let words = Words::new("Then Emma smiled. By Emma sat Zorka.");
    let said = |weights: &[u8]| load(CONFIG, &vocabulary(), weights).unwrap().tag(&words).unwrap();
    let odds = said(&safe);
    assert_eq!(odds, said(&own));
    assert_eq!(odds.len(), words.len());
    let drawn = odds.iter().filter(|odds| **odds != Odds::NONE);
    assert!(drawn.count() > 2);
}

#[test]
fn requests_are_answered_as_windows_are_read() {
    let tagger = load(CONFIG, &vocabulary(), &weights().1).unwrap();
    let words = Words::new("Then Emma smiled.");
    let window = tagger.windows(&words, &words.sentences()).remove(0);
    let answer = tagger.answer(&answers::request(&window)).unwrap();
    let read = tagger.read(&words, &window).unwrap();
    assert_eq!(answers::odds(&answer, read.len()).unwrap(), read);
    assert!(tagger.answer(&Value::Null).is_err());
}

#[track_caller]
fn check(config: &str, vocabulary: &str, weights: &[u8], says: &str) {
    let fault = load(config, vocabulary, weights).unwrap_err();
    assert!(fault.message.contains(says), "{fault}");
}

#[test]
fn models_that_do_not_fit_are_refused() {
    let (own, safe) = weights();
    let config = |old: &str, new: &str| {
        assert!(CONFIG.contains(old));
        CONFIG.replace(old, new)
    };
    let vocabulary = vocabulary();
    check(&safe.len().to_string(), &vocabulary, &safe, "config.json");
    check(
        &config("\"num_attention_heads\": 2", "\"num_attention_heads\": 3"),
        &vocabulary,
        &safe,
        "heads",
    );
    check(
        &config("\"num_attention_heads\": 2", "\"num_attention_heads\": 0"),
        &vocabulary,
        &safe,
        "is 0",
    );
    check(
        &config("\"max_position_embeddings\": 192", "\"max_position_embeddings\": 128"),
        &vocabulary,
        &safe,
        "192",
    );
    check(&config("\"hidden_size\": 8", "\"hidden_size\": 10"), &vocabulary, &safe, "shape");
    check(
        &config("\"num_hidden_layers\": 1", "\"num_hidden_layers\": 2"),
        &vocabulary,
        &safe,
        "bert.encoder.layer.1",
    );
    check(
        &config("\"num_hidden_layers\": 1", "\"num_hidden_layers\": 2"),
        &vocabulary,
        &own,
        "rust_model.ot",
    );
    check(&config("\"1\": \"B-PER\"", "\"7\": \"B-PER\""), &vocabulary, &safe, "id2label");
    check(
        &config("-PER", "-MISC").replace("-LOC", "-MISC"),
        &vocabulary,
        &safe,
        "persons or places",
    );
    check(CONFIG, &(vocabulary.clone() + "\nmore"), &safe, "more pieces");
    check(CONFIG, &vocabulary, &safe[..safe.len() / 2], "safetensors");
    check(CONFIG, &vocabulary, &own[..own.len() / 2], "rust_model.ot");
    check(CONFIG, &vocabulary, b"", "safetensors");
    assert!(load(CONFIG, "[PAD]\n", &safe).unwrap_err().message.contains("[UNK]"));
}

#[test]
fn labels_of_other_schemes_are_known() {
    use Label::{None, Person, PersonOn, Place, PlaceOn};
    let read = ["B-PER", "I-PER", "PERSON", "B-GPE", "I-LOC", "B-ORG", "O"].map(Label::of);
    assert_eq!(read, [Person, PersonOn, Person, Place, PlaceOn, None, None]);
    let odds = odds(&[None, Person, None, PlaceOn], &[0.0, 30.0, 1.0, 0.0]);
    assert_eq!((odds.person, odds.none, odds.place_on), (WHOLE, 0, 0));
    let odds = super::odds(&[None, Person, None, PlaceOn], &[1.0; 4]);
    assert_eq!((odds.none, odds.person, odds.place_on), (WHOLE / 2, WHOLE / 4, WHOLE / 4));
}
