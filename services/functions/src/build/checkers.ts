/**
 * Programs that parse every file of a source, inside the sandbox, without running it, and print syntax errors:
 * `file:line: message`.
 */
export const nodeChecker = `
const { spawnSync } = require('node:child_process')
const { readdirSync, readFileSync } = require('node:fs')
const { join, relative, extname } = require('node:path')
const { stripTypeScriptTypes } = require('node:module')
const { SourceTextModule, Script } = require('node:vm')
const root = '/workspace'
const typeOf = (folder) => {
  for (let at = folder; at.length >= root.length; at = join(at, '..')) {
    try { return JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).type ?? 'commonjs' } catch {}
  }
  return 'commonjs'
}
const errors = []
// Node reports the line, also of a module, without the wrapper function of a script.
const messageOf = (file, error) => {
  const typed = /^:(\\d+)$/m.exec(error.stack)?.[1]
  if (error.code === 'ERR_INVALID_TYPESCRIPT_SYNTAX' && typed) return typed + ': SyntaxError: ' + error.message
  const output = errors.length < 10 ? String(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr) : ''
  const line = /:(\\d+)$/m.exec(output)?.[1] ?? 1
  return line + ': ' + (/^SyntaxError: .*$/m.exec(output)?.[0] ?? error.name + ': ' + error.message)
}
const check = (file, folder) => {
  const extension = extname(file)
  let text = readFileSync(file, 'utf8').replace(/^#!.*/, '')
  const isModule = extension[1] === 'm' || (extension[1] !== 'c' && typeOf(folder) === 'module')
  const asModule = () => new SourceTextModule(text, { identifier: file })
  const asScript = () => new Script('(function (exports, require, module, __filename, __dirname) {' + text + '\\n})', { filename: file })
  try {
    // Positions stay the same: types become blanks.
    if (extension.endsWith('ts')) text = stripTypeScriptTypes(text)
    if (isModule) asModule()
    else asScript()
  } catch (error) {
    // A file without a type may be either, as in Node.
    if (!isModule && extension.length === 3) try { return asModule() } catch {}
    errors.push(relative(root, file) + ':' + messageOf(file, error))
  }
}
const walk = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) entry.name !== 'node_modules' && walk(join(folder, entry.name))
    else if (/\\.[cm]?[jt]s$/.test(entry.name) && !/\\.d\\.[cm]?ts$/.test(entry.name)) check(join(folder, entry.name), folder)
  }
}
walk(root)
console.log(errors.slice(0, 10).join('\\n'))
`

export const pythonChecker = `
import os, sys
root = '/workspace'
errors = []
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
            errors.append('%s:%s: %s: %s' % (os.path.relpath(path, root), error.lineno or 1, type(error).__name__, error.msg))
        except ValueError as error:
            errors.append('%s:1: %s' % (os.path.relpath(path, root), error))
print('\\n'.join(errors[:10]))
`
