//! What editor and server agree on at the beginning.

use cqldex::editor::Encoding;
use lsp_types::{InitializeParams, MarkupKind, PositionEncodingKind};

/// What the editor can do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// What columns count.
    pub(super) encoding: Encoding,
    /// Whether edits may name the version of the text that they are for.
    pub(super) versioned_edits: bool,
    /// Whether it opens a document when the server asks it to.
    pub(super) shows_documents: bool,
    /// Whether diagnostics may point to a second place.
    pub(super) related_places: bool,
    /// Whether documentation may be Markdown.
    pub(super) markdown: bool,
    /// Whether the new name of a rename can be typed over the old one.
    pub(super) prepares_renames: bool,
}

impl Client {
    pub(super) fn of(params: &InitializeParams) -> Client {
        let capabilities = &params.capabilities;
        let text = capabilities.text_document.as_ref();
        let window = capabilities.window.as_ref();
        let edits = capabilities
            .workspace
            .as_ref()
            .and_then(|workspace| workspace.workspace_edit.as_ref());
        let formats = text
            .and_then(|text| text.hover.as_ref())
            .and_then(|hover| hover.content_format.as_ref());
        let diagnostics = text.and_then(|text| text.publish_diagnostics.as_ref());
        let rename = text.and_then(|text| text.rename.as_ref());
        let encodings = capabilities
            .general
            .as_ref()
            .and_then(|general| general.position_encodings.as_deref());
        Client {
            encoding: encodings
                .unwrap_or_default()
                .iter()
                .find_map(encoding)
                .unwrap_or_default(),
            versioned_edits: edits.and_then(|edits| edits.document_changes).unwrap_or_default(),
            shows_documents: window
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|show| show.support),
            related_places: diagnostics.and_then(|can| can.related_information).unwrap_or_default(),
            markdown: formats.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            prepares_renames: rename.and_then(|rename| rename.prepare_support).unwrap_or_default(),
        }
    }
}

fn encoding(kind: &PositionEncodingKind) -> Option<Encoding> {
    match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    }
}
