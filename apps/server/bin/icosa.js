#!/usr/bin/env node
// JavaScript, so that Node's parser of TypeScript is not loaded for it. All else comes compiled, and without its types, from
// the cache, in threads as well: from the second start on.
import { enableCompileCache } from 'node:module'

process.env.NODE_COMPILE_CACHE ??= enableCompileCache().directory
await import('../src/cli.ts')
