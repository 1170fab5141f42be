" Settings for the Chess Query Language.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,://,:;
setlocal shiftwidth=2 softtabstop=2 expandtab
if executable("cqldex")
  setlocal formatprg=cqldex\ format
endif
let b:undo_ftplugin = "setlocal commentstring< comments< shiftwidth< softtabstop< expandtab< formatprg<"
