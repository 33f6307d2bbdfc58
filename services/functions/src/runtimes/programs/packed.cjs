'use strict'
const Module = require('node:module')
const { dirname, join, relative } = require('node:path')

/** The modules of a packed file, each loaded when it is first asked for: `framework('server')`. */
exports.loadPacked = (script, root) => {
  const { entries, modules } = script.runInThisContext()()
  const loaded = Object.create(null)
  const load = (path) => {
    if (loaded[path]) return loaded[path].exports
    const filename = join(root, path)
    const [known, run] = modules[path]
    const module = { id: filename, filename, exports: {}, loaded: false, paths: [] }
    loaded[path] = module
    // What nobody asked for while it was packed: a template engine of the function's own, say.
    const other = (wanted) => {
      const near = Module.createRequire(filename)
      try {
        near.resolve(wanted)
      } catch {
        return Module.createRequire('/workspace/')(wanted)
      }
      const file = relative(root, near.resolve(wanted))
      return modules[file] ? load(file) : near(wanted) // one that is packed is there once
    }
    const require = (wanted) => {
      if (Module.isBuiltin(wanted)) return Module.createRequire('/')(wanted)
      const file = known[wanted]
      return file !== undefined && modules[file] ? load(file) : other(wanted)
    }
    require.resolve = (wanted) => (known[wanted] ? join(root, known[wanted]) : wanted)
    require.main = undefined
    run.call(module.exports, module.exports, require, module, filename, dirname(filename))
    module.loaded = true
    return module.exports
  }
  return (name) => load(entries[name])
}
