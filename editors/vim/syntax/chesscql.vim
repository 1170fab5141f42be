" The same under the name that code has in what the language server says: Neovim reads no hyphen there.
runtime! syntax/chess-cql.vim
