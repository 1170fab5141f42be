" Editors take .cql for the language of Cassandra. Where that is wanted, set g:chess_cql_files to other patterns, such as
" "*/chess/*.cql".
execute "autocmd BufRead,BufNewFile " . get(g:, "chess_cql_files", "*.cql") . " set filetype=chess-cql"
