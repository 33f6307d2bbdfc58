/** As `icosa` itself starts. */
import { enableCompileCache } from 'node:module'

process.env.NODE_COMPILE_CACHE ??= enableCompileCache().directory
await import('./node.ts')
