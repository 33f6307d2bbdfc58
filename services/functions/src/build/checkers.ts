/**
 * Programs that read every file of a source, inside the sandbox, and print what does not parse: `file:line: message`. They run
 * nothing of it.
 */
export const nodeChecker = `
const { spawnSync } = require('node:child_process')
const { readdirSync, readFileSync } = require('node:fs')
const { join, relative, extname } = require('node:path')
const { SourceTextModule, Script } = require('node:vm')
const root = '/workspace'
const typeOf = (folder) => {
  for (let at = folder; at.length >= root.length; at = join(at, '..')) {
    try { return JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).type ?? 'commonjs' } catch {}
  }
  return 'commonjs'
}
const wrong = []
// Node itself names the line, also of a module, and knows nothing of the function around a script.
const saidOf = (file, error) => {
  const said = wrong.length < 10 ? String(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr) : ''
  const line = /:(\\d+)$/m.exec(said)?.[1] ?? 1
  return line + ': ' + (/^SyntaxError: .*$/m.exec(said)?.[0] ?? error.name + ': ' + error.message)
}
const check = (file, folder) => {
  const extension = extname(file)
  const text = readFileSync(file, 'utf8').replace(/^#!.*/, '')
  const isModule = extension === '.mjs' || (extension === '.js' && typeOf(folder) === 'module')
  const asModule = () => new SourceTextModule(text, { identifier: file })
  const asScript = () => new Script('(function (exports, require, module, __filename, __dirname) {' + text + '\\n})', { filename: file })
  try {
    if (isModule) asModule()
    else asScript()
  } catch (error) {
    // A file without a type may be either, as Node itself has it.
    if (!isModule && extension === '.js') try { return asModule() } catch {}
    wrong.push(relative(root, file) + ':' + saidOf(file, error))
  }
}
const walk = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) entry.name !== 'node_modules' && walk(join(folder, entry.name))
    else if (/\\.[cm]?js$/.test(entry.name)) check(join(folder, entry.name), folder)
  }
}
walk(root)
console.log(wrong.slice(0, 10).join('\\n'))
`

export const pythonChecker = `
import os, sys
root = '/workspace'
wrong = []
for folder, folders, files in os.walk(root):
    folders[:] = [name for name in folders if not name.startswith('.')]
    for name in files:
        if not name.endswith('.py'):
            continue
        path = os.path.join(folder, name)
        try:
            with open(path, 'rb') as file:
                compile(file.read(), path, 'exec', dont_inherit=True)
        except SyntaxError as error:
            wrong.append('%s:%s: %s: %s' % (os.path.relpath(path, root), error.lineno or 1, type(error).__name__, error.msg))
        except ValueError as error:
            wrong.append('%s:1: %s' % (os.path.relpath(path, root), error))
print('\\n'.join(wrong[:10]))
`
