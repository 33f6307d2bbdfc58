#!/usr/bin/env node
// JavaScript in syntax that old Node versions parse, so that Node's TypeScript parser is not loaded for it. From the
// second start on, all other modules, also those of threads, come compiled and type-stripped from the compile cache.
import * as nodeModule from 'node:module'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`icosa: Node.js 24 or newer is required, but this is ${process.versions.node}: see https://nodejs.org.`)
  process.exit(1)
}
if (!process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = nodeModule.enableCompileCache().directory
await import('../src/cli.ts')
