//! Neovim as a client: it starts the server, and says what it got.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// What Neovim is to do: each line of output is one thing that it got.
const SCRIPT: &str = r#"
vim.opt.swapfile = false
local lines = {}
local function say(what) table.insert(lines, what) end
local id = vim.lsp.start_client({
  name = 'cqldex', cmd = { vim.env.CQLDEX, 'lsp', '--database', vim.env.GAMES },
  init_options = {},
})
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, id)
assert(vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 20), 'no diagnostics')
local found = vim.diagnostic.get(buffer)[1]
say(('diagnostic %d:%d %s'):format(found.lnum, found.col, found.message:gsub('\n.*', '')))
local function ask(method, parameters)
  local answers = assert(vim.lsp.buf_request_sync(buffer, method, parameters, 60000))
  return assert(answers[id], method).result
end
local function at(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end
say('hover ' .. vim.split(ask('textDocument/hover', at(1, 10)).contents.value, '\n')[2])
local rename = at(2, 0)
rename.newName = 'knight1'
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', rename), 'utf-16')
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { 'mate' })
say('text ' .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '|'))
assert(vim.wait(60000, function()
  return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0
end, 20), 'the error stays')
local items = ask('textDocument/completion', at(3, 2)).items
for _, item in ipairs(items) do
  if item.label == 'mate' then say('completion ' .. item.label) end
end
local edits = ask('textDocument/formatting', vim.lsp.util.make_formatting_params())
vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
say('formatted ' .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '|'))
vim.wait(100)
local lens = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() })[1]
say('lens ' .. ask('codeLens/resolve', lens).command.title)
vim.lsp.stop_client(id)
assert(vim.wait(60000, function() return vim.lsp.get_client_by_id(id) == nil or vim.lsp.client_is_stopped(id) end, 20), 'it goes on')
vim.fn.writefile(lines, vim.env.REPORT)
vim.cmd('qall!')
"#;

const QUERY: &str = "\u{2658} attacks k\nhorse = N horse attacks [qk]\nchek\n";

#[test]
fn neovim_is_served() {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("skipped: there is no Neovim (`nvim`) here");
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("query.cql"), QUERY).unwrap();
    std::fs::write(path("script.lua"), SCRIPT).unwrap();
    std::fs::write(path("games.pgn"), "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let program = env!("CARGO_BIN_EXE_cqldex");
    let indexed = Command::new(program)
        .arg("index")
        .args([path("games.db"), path("games.pgn")])
        .output()
        .unwrap();
    assert!(indexed.status.success());
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vim");
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "--cmd"])
        .arg(format!("set runtimepath^={}", plugin.display()))
        .arg(path("query.cql"))
        .arg("-c")
        .arg(format!("luafile {}", path("script.lua").display()))
        .args(["-c", "cquit"])
        .env("CQLDEX", program)
        .env("GAMES", path("games.db"))
        .env("REPORT", path("report"))
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let report = std::fs::read_to_string(path("report")).unwrap_or(said);
    let wanted = [
        "diagnostic 2:0 no filter or variable is called `chek`: did you mean `check`?",
        "hover S attacks T, S -> T",
        "text \u{2658} attacks k|knight1 = N knight1 attacks [qk]|mate",
        "completion mate",
        "formatted \u{2658} attacks k|knight1 = N|knight1 attacks [qk]|mate",
        "lens 0 games, 0 positions in games.db",
    ];
    assert_eq!(report.lines().collect::<Vec<&str>>(), wanted);
}

#[test]
fn vim_files_are_read_without_errors() {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("skipped: there is no Neovim (`nvim`) here");
        return;
    }
    let folder = TempDir::new().unwrap();
    let query = folder.path().join("query.cql");
    std::fs::write(&query, "flip { Kg1 } // why\nx = \"a\" o-o-o clock > 3 /// \"b\"\n").unwrap();
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vim");
    let groups = "echo join(map([[1,1],[1,8],[1,14],[2,1],[2,5],[2,9],[2,15],[2,21],[2,23],[2,25]], \
                  {_, p -> synIDattr(synID(p[0], p[1], 1), 'name')}), ' ')";
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "--cmd"])
        .arg(format!("set runtimepath^={}", plugin.display()))
        .arg(&query)
        .args(["-c", "echo &filetype &commentstring", "-c", groups, "-c", "qall!"])
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    let groups = "chessCqlTransform chessCqlDesignator chessCqlComment chessCqlName chessCqlString chessCqlFilter chessCqlFilter \
                  chessCqlOperator chessCqlNumber chessCqlFilter";
    assert_eq!(lines, ["chess-cql // %s", groups]);
}
