#!/usr/bin/env node
// JavaScript, so that Node's parser of TypeScript is not loaded for it, and in words that an old Node understands. All else
// comes compiled, and without its types, from the cache, in threads as well: from the second start on.
import * as nodeModule from 'node:module'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`icosa: Node.js 24 or newer is needed, and this is ${process.versions.node}: see https://nodejs.org.`)
  process.exit(1)
}
if (!process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = nodeModule.enableCompileCache().directory
await import('../src/cli.ts')
