// Starts `cqldex lsp` and leaves the rest to it.

const path = require('path')
const { commands, window, workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

/** @type {LanguageClient | undefined} */
let client

/** What the server is told. */
function settings() {
  const { database, strict } = workspace.getConfiguration('cqldex')
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''
  return { strict, database: database ? path.resolve(folder, database) : '' }
}

async function activate(context) {
  const command = workspace.getConfiguration('cqldex').get('path') || 'cqldex'
  client = new LanguageClient('cqldex', 'cqldex', { command, args: ['lsp'] }, {
    documentSelector: [{ language: 'chess-cql' }],
    initializationOptions: settings(),
  })
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('cqldex')) return
      client?.sendNotification('workspace/didChangeConfiguration', { settings: { cqldex: settings() } })
    }),
    commands.registerCommand('chess-cql.showMatches', () => {
      const text = window.activeTextEditor?.document
      return text && commands.executeCommand('cqldex.showMatches', text.uri.toString())
    }),
  )
  await client.start()
}

const deactivate = () => client?.stop()

module.exports = { activate, deactivate }
