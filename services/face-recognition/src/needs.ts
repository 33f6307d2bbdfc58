import { createRequire } from 'node:module'
import { found, missing, type Need } from '@icosa/module'

/** Comes with the platform, but npm leaves it out where its install script fails: behind a firewall, for instance. */
export const onnxruntime: Need = {
  name: 'onnxruntime-node',
  purpose: 'runs the networks that find and describe faces',
  remedy:
    'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node: its install script, which downloads CUDA, is not needed',
  async check() {
    try {
      const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string }
      return found(version)
    } catch {
      return missing('The package is not installed.')
    }
  },
}
