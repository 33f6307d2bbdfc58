import { createRequire } from 'node:module'
import { found, missing, type Need } from '@icosa/module'

const remedy =
  'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node: its install script, which downloads CUDA, is not needed'

/** A dependency of the platform, whose install script is skipped: it downloads CUDA, and fails behind a firewall. */
export const onnxruntime: Need = {
  name: 'onnxruntime-node',
  purpose: 'runs the networks that find and describe faces',
  remedy,
  async check() {
    const version = onnxruntimeVersion()
    return version === undefined ? missing('The package is not installed.') : found(version)
  },
}

export function onnxruntimeVersion(): string | undefined {
  try {
    const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string }
    return version
  } catch {
    return undefined
  }
}

/** Error message if the networks cannot be loaded: names the package to install, if it is missing. */
export function loadingProblem(error: Error, version: string | undefined): string {
  const reason = version === undefined ? `onnxruntime-node is not installed. To install it: ${remedy}` : error.message
  return `The networks for photos could not be loaded: ${reason}`
}
