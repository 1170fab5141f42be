-- The language server in Neovim 0.11 and later: vim.lsp.enable('cqldex')
return {
  cmd = { 'cqldex', 'lsp' },
  filetypes = { 'chess-cql' },
  root_markers = { '.git' },
  -- init_options = { database = '/path/to/games.db' },
}
