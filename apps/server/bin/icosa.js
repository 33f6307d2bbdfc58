#!/usr/bin/env node
// JavaScript in syntax that old Node versions parse, so that Node's TypeScript parser is not loaded for it. From the
// second start on, all other modules, also those of threads, come compiled and type-stripped from the compile cache.
import * as nodeModule from 'node:module'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`icosa: Node.js 24 or newer is required, but this is ${process.versions.node}: see https://nodejs.org.`)
  process.exit(1)
}
if (!process.env.NODE_COMPILE_CACHE) {
  const { directory } = nodeModule.enableCompileCache()
  if (directory) process.env.NODE_COMPILE_CACHE = directory // of threads and child processes
}
await import('../src/cli.ts')
