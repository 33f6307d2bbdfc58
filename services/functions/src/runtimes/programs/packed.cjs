'use strict'
const Module = require('node:module')
const { dirname, join, relative } = require('node:path')

/** Loads modules of a packed file on first use: `framework('server')`. */
exports.loadPacked = (script, root) => {
  const { entries, modules } = script.runInThisContext()()
  const loaded = Object.create(null)
  const load = (path) => {
    if (loaded[path]) return loaded[path].exports
    const filename = join(root, path)
    const [dependencies, run] = modules[path]
    const module = { id: filename, filename, exports: {}, loaded: false, paths: [] }
    loaded[path] = module
    // Not recorded while packing, such as a template engine of the function.
    const loadUnpacked = (specifier) => {
      const localRequire = Module.createRequire(filename)
      try {
        localRequire.resolve(specifier)
      } catch {
        return Module.createRequire('/workspace/')(specifier)
      }
      const file = relative(root, localRequire.resolve(specifier))
      return modules[file] ? load(file) : localRequire(specifier) // a packed module is loaded once
    }
    const require = (specifier) => {
      if (Module.isBuiltin(specifier)) return Module.createRequire('/')(specifier)
      const file = dependencies[specifier]
      return file !== undefined && modules[file] ? load(file) : loadUnpacked(specifier)
    }
    require.resolve = (specifier) => (dependencies[specifier] ? join(root, dependencies[specifier]) : specifier)
    require.main = undefined
    run.call(module.exports, module.exports, require, module, filename, dirname(filename))
    module.loaded = true
    return module.exports
  }
  return (name) => load(entries[name])
}
