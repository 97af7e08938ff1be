//! The files of a new guest: templates, and the SDK's source as it is in this repository.

use std::borrow::Cow;

/// A file to write.
pub(super) struct File {
    /// Where, from the new directory.
    pub(super) path: String,
    pub(super) text: Cow<'static, str>,
    pub(super) executable: bool,
}

/// All files of the guest called `name`.
pub(super) fn all(name: &str) -> Vec<File> {
    let fill = |template: &str| {
        template
            .replace("{name}", name)
            .replace("{crate}", &name.replace('-', "_"))
            .replace("{version}", env!("CARGO_PKG_VERSION"))
    };
    let own = TEMPLATES
        .iter()
        .map(|(path, template)| (String::from(*path), Cow::Owned(fill(template))));
    let sdk = SDK
        .iter()
        .map(|(path, text)| (format!("leanvm_guest/{path}"), Cow::Borrowed(*text)));
    own.chain(sdk)
        .map(|(path, text)| File {
            executable: path.ends_with(".sh"),
            path,
            text,
        })
        .collect()
}

const TEMPLATES: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../../templates/Cargo.toml.txt")),
    ("build.sh", include_str!("../../../templates/build.sh.txt")),
    (".gitignore", include_str!("../../../templates/gitignore.txt")),
    ("src/lib.rs", include_str!("../../../templates/lib.rs.txt")),
    ("src/main.rs", include_str!("../../../templates/main.rs.txt")),
    // The SDK's own manifest inherits from this workspace.
    (
        "leanvm_guest/Cargo.toml",
        include_str!("../../../templates/sdk.Cargo.toml.txt"),
    ),
];

/// Pairs of path and text.
macro_rules! sdk {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../../../crates/leanvm_guest/", $path)))),*]
    };
}

const SDK: &[(&str, &str)] = sdk! {
    "build.rs"
    "cargo-guest.sh"
    "leanvm.ld"
    "src/advice.rs"
    "src/blake2s/block.rs"
    "src/blake2s/blocks.rs"
    "src/blake2s/mod.rs"
    "src/blake2s/portable.rs"
    "src/blake2s/template.rs"
    "src/entry.rs"
    "src/ext.rs"
    "src/heap.rs"
    "src/hint.rs"
    "src/host.rs"
    "src/keccak/kernel.rs"
    "src/keccak/mod.rs"
    "src/keccak/portable.rs"
    "src/lib.rs"
    "src/output.rs"
    "src/panic.rs"
    "src/single.rs"
    "src/start.rs"
    "src/words.rs"
};

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn files_below(directory: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(directory).expect("the SDK is here") {
            let path = entry.expect("the SDK can be read").path();
            if path.is_dir() {
                files_below(&path, root, found);
            } else {
                let path = path.strip_prefix(root).expect("below the root");
                found.insert(path.to_str().expect("UTF-8").to_owned());
            }
        }
    }

    #[test]
    fn every_file_of_the_sdk_but_its_manifest_and_tests_is_written() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/leanvm_guest");
        let mut found = BTreeSet::new();
        files_below(&root, &root, &mut found);
        found.retain(|path| path != "Cargo.toml" && !path.starts_with("tests/"));
        let embedded: BTreeSet<String> = SDK.iter().map(|(path, _)| (*path).to_owned()).collect();
        assert_eq!(embedded, found);
    }

    #[test]
    fn the_manifest_of_the_written_sdk_has_the_features_of_this_one() {
        let features = |manifest: &str| {
            let (_, rest) = manifest.split_once("[features]\n").expect("has features");
            rest.split("\n\n").next().map(|text| text.trim_end().to_owned())
        };
        let ours = fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/leanvm_guest/Cargo.toml"),
        );
        let written = all("x")
            .into_iter()
            .find(|file| file.path == "leanvm_guest/Cargo.toml")
            .expect("is written");
        assert_eq!(features(&written.text), features(&ours.expect("the SDK is here")));
    }

    #[test]
    fn no_placeholder_is_left() {
        for File { path, text, .. } in all("my-guest") {
            for placeholder in ["{name}", "{crate}", "{version}"] {
                assert!(!text.contains(placeholder), "{path}");
            }
        }
    }
}
