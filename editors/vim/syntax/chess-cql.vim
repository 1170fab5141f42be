" Chess Query Language (CQL 6.2, with the extensions of cqldex)
if exists("b:current_syntax")
  finish
endif
let s:cpo_save = &cpo
set cpo&vim
syntax case match
syntax iskeyword @,48-57,_,$

" Behind the words of a match a later rule wins, so that comments stand below operators.
syntax match chessCqlName "\<[A-Za-z_$][A-Za-z0-9_$]*\>"
syntax match chessCqlOperator "[-+*/%#~&|=<>?:.!]"
syntax match chessCqlOperator "\[x\]\|\[element\]\|\[forall\]\|\[[<>]=\?\]"
syntax match chessCqlOperator "[→←×―∀∊∩∪≤≥≠≺≻≼≽]"
syntax match chessCqlNumber "\<\d\+\>"
syntax match chessCqlNumber "\%(^\|\s\)\zs\%(1-0\|0-1\|1/2-1/2\)\ze\%(\s\|)\|$\)"
syntax match chessCqlDesignator "\%([A-Za-z0-9_$]\)\@<!\%(\%(\[[AaKQRBNPkqrbnp_,]\+\]\|[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]\+\|[AaKQRBNPkqrbnp_]\)\%(\[[a-h1-8,-]\+\]\|[a-h]\%(-[a-h]\)\?[1-8]\%(-[1-8]\)\?\)\?\|\%(\[[a-h1-8,-]\+\]\|[a-h]\%(-[a-h]\)\?[1-8]\%(-[1-8]\)\?\)\)\%([A-Za-z0-9_$]\)\@!"
syntax match chessCqlDesignator "[▦∙⊢◎✵⬓]"
syntax match chessCqlEscape "\\\%([ntr\"\\]\|-\?\d\+\)"
syntax region chessCqlString start=+"+ end=+"\|$+ oneline
syntax match chessCqlComment "//.*$" contains=chessCqlTodo,@Spell
syntax match chessCqlComment ";.*$" contains=chessCqlTodo,@Spell
syntax match chessCqlFilter "///\ze\%([^/]\|$\)"
syntax region chessCqlComment start="/\*" end="\*/" contains=chessCqlTodo,@Spell
syntax keyword chessCqlTodo contained TODO FIXME XXX

syntax keyword chessCqlControl and or not in if then else while loop assert cql_abort cql_assertvariations true false any
syntax keyword chessCqlControl all
syntax keyword chessCqlStorage function square piece persistent atomic local dictionary string unbind isbound isunbound
syntax keyword chessCqlHeader cql input output variations matchcount matchstring quiet silent gamenumber
syntax keyword chessCqlTransform flip flipdihedral dihedral fliphorizontal flipvertical flipcolor reversecolor shift
syntax keyword chessCqlTransform shifthorizontal shiftvertical rotate45 rotate90 notransform currenttransform count
syntax keyword chessCqlFilter abs ancestor anydirection arrow ascii attack attacked attackedby attacks between black btm
syntax keyword chessCqlFilter by capture captures castle check child colortype comment connectedpawns consecutivemoves
syntax keyword chessCqlFilter countmoves cql_hhdbhascook curpos currentmove currentposition dark date depth descendant
syntax keyword chessCqlFilter diagonal distance doubledpawns down echo eco elo enpassant enpassantsquare equal event
syntax keyword chessCqlFilter eventdate extension fen file find firstmatch focus from hascomment hhdb horizontal
syntax keyword chessCqlFilter idealmate idealstalemate indexof initial initialposition int isolatedpawns keepallbest
syntax keyword chessCqlFilter lastgamenumber lastposition lca left legal light line lowercase maindiagonal mainline
syntax keyword chessCqlFilter makesquare mate max message min modelmate modelstalemate move movenumber nestban northeast
syntax keyword chessCqlFilter northwest nosort null nullmove offdiagonal oldline originalcomment orthogonal parent
syntax keyword chessCqlFilter passedpawns path pathcount pathcountunfocused pathdebug pathlastposition pathstart pgn
syntax keyword chessCqlFilter pieceid piecename piecepath pin player ply position positionid power previous primary
syntax keyword chessCqlFilter promote pseudolegal puremate purestalemate rank ray readfile removecomment result right
syntax keyword chessCqlFilter secondary settag sidetomove similarposition singlecolor site sort southeast southwest sqrt
syntax keyword chessCqlFilter stalemate str substring tag terminal through title to transform try type typename up
syntax keyword chessCqlFilter uppercase variation verbose vertical virtualmainline white writefile wtm xray year
syntax keyword chessCqlFilter positionset clock movetime eval evalbefore evalchange imagine legalposition
" A minus sign is no letter of a word.
syntax match chessCqlFilter "\<o-o\%(-o\)\?\>"

highlight default link chessCqlName Identifier
highlight default link chessCqlOperator Operator
highlight default link chessCqlNumber Number
highlight default link chessCqlDesignator Constant
highlight default link chessCqlEscape SpecialChar
highlight default link chessCqlString String
highlight default link chessCqlComment Comment
highlight default link chessCqlTodo Todo
highlight default link chessCqlControl Conditional
highlight default link chessCqlStorage StorageClass
highlight default link chessCqlHeader PreProc
highlight default link chessCqlTransform Type
highlight default link chessCqlFilter Function

let b:current_syntax = "chess-cql"
let &cpo = s:cpo_save
unlet s:cpo_save
