/** Starts as `icosa` itself does. */
import { enableCompileCache } from 'node:module'

process.env.NODE_COMPILE_CACHE ??= enableCompileCache().directory
await import('./node.ts')
