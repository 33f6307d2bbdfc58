/** Starts as `icosa` itself does. */
import { enableCompileCache } from 'node:module'

const { directory } = enableCompileCache()
if (directory) process.env.NODE_COMPILE_CACHE ??= directory
await import('./node.ts')
