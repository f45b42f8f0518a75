//! Pages of a sample of questions, written into a folder: for a repository's pages or a paper's appendix.

use std::{collections::BTreeMap, io::Write, path::Path};

use serde_json::json;
use storymill::{Fault, FaultKind};
use storymill_dataset::look::{Filter, Holds, Look};
use storymill_view::{Links, Site, asset};

use crate::{
    args::{Format, view::View},
    exit::{DONE, Exit, Failure},
    table::{plural, typed},
    whole_file,
};

/// Writes the pages. The sample of a config is spread evenly over its rows, so it is the same each time.
pub(super) fn run(
    out: &Path,
    args: &View,
    look: Look,
    site: impl FnOnce(Look, Links) -> Result<Site, Fault>,
) -> Result<Exit, Failure> {
    let sample = args.sample;
    if sample == 0 {
        return Err(Failure::Usage("`--sample` must be at least 1".to_owned()));
    }
    refuse_others(out)?;
    let mut files = BTreeMap::from([
        (String::new(), "index.html".to_owned()),
        ("look.css".to_owned(), "look.css".to_owned()),
        ("keys.js".to_owned(), "keys.js".to_owned()),
    ]);
    let mut chosen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for config in look.configs().iter().filter(|config| config.holds == Holds::Questions) {
        let ids = ids(&look, &config.name, sample)?;
        for id in &ids {
            let path = format!("c/{}/{id}", config.name);
            files.insert(path.clone(), file_name(&path));
        }
        let path = format!("c/{}", config.name);
        files.insert(path.clone(), file_name(&path));
        chosen.insert(config.name.clone(), ids);
    }
    if chosen.values().all(Vec::is_empty) {
        let fault = Fault::new(FaultKind::Input, "there are no questions here to write pages of");
        return Err(fault
            .hint("`storymill view FOLDER` without `--html` shows any dataset")
            .into());
    }
    let site = site(look, Links::Files(files.clone()))?;
    let mut count = 0_u64;
    for (path, name) in &files {
        let body =
            match path.strip_prefix("c/").and_then(|config| Some((config, chosen.get(config)?))) {
                Some((config, ids)) => site.some(config, ids)?,
                None if asset(path).is_some() => {
                    asset(path).map(|(_, text)| text.to_owned()).unwrap_or_default()
                }
                None => {
                    count += u64::from(!path.is_empty());
                    site.page(path, "").body
                }
            };
        let file = out.join(name);
        whole_file::write(&file, body.as_bytes())
            .map_err(|error| Fault::io("cannot write the page", &file, error))?;
    }
    if args.format == Format::Json {
        let index = out.join("index.html");
        return super::super::json(
            &json!({ "questions": count, "files": files.len(), "index": index }),
        );
    }
    writeln!(
        crate::screen::out(),
        "{} as pages: {}",
        plural(count, "question"),
        typed(&out.join("index.html"))
    )?;
    Ok(DONE)
}

/// Pages are written into a folder that is new, empty, or was written by us.
fn refuse_others(out: &Path) -> Result<(), Fault> {
    let Ok(mut entries) = std::fs::read_dir(out) else { return Ok(()) };
    if entries.next().is_none() || out.join("keys.js").is_file() {
        return Ok(());
    }
    Err(Fault::new(FaultKind::Input, "this folder holds something else")
        .at(out)
        .hint("name a new folder"))
}

fn ids(look: &Look, config: &str, sample: u64) -> Result<Vec<String>, Fault> {
    let all = look.list(config, &Filter::default(), 0, 0)?.wanted;
    let mut ids = Vec::new();
    for at in 0..sample.min(all) {
        let row = look.list(config, &Filter::default(), at * all / sample.min(all), 1)?;
        ids.extend(row.rows.into_iter().map(|row| row.id));
    }
    Ok(ids)
}

/// A file name for a path: letters, digits and dashes, and nothing that another path has too.
fn file_name(path: &str) -> String {
    let mut name = String::new();
    for letter in path.chars() {
        match letter {
            'a'..='z' | '0'..='9' => name.push(letter),
            '/' => name.push('-'),
            other => name += &format!("_{:x}", u32::from(other)),
        }
    }
    name + ".html"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_keep_paths_apart() {
        assert_eq!(file_name("c/read-along/sm01/0004/x"), "c-read_2dalong-sm01-0004-x.html");
        assert_ne!(file_name("c/a/b"), file_name("c/a-b"));
        assert!(!file_name("c/../../x").contains(".."), "{}", file_name("c/../../x"));
    }
}
