import { remark, text } from '@icosa/module'
import manifest from '../../../package.json' with { type: 'json' }
import type { Command } from '../../command.ts'

export const mcp: Command = {
  name: 'mcp',
  usage: 'mcp [--temporary [--services a,b]]',
  summary:
    'Serve the Model Context Protocol on stdin and stdout, for the `icosa dev` on the data folder: assistants list and call operations, read requests, history and logs, move the clock and inject faults. --temporary: for an instance of its own, which is deleted at the end.',
  flags: { temporary: { type: 'boolean' }, services: { type: 'string' } },
  audited: false,
  async run({ flags, config }) {
    const { askedToStop, endSoon } = await import('../../process.ts')
    const { serveStdio } = await import('../../mcp/protocol.ts')
    const { runningTarget, temporaryTarget } = await import('../../mcp/target.ts')
    const { instructions, toolsOf } = await import('../../mcp/tools.ts')
    await using ending = new AsyncDisposableStack()
    ending.defer(endSoon)
    await using target =
      flags.temporary === true ? await temporaryTarget(text(flags, 'services')) : runningTarget(config)
    const served = serveStdio({
      input: process.stdin,
      output: process.stdout,
      name: 'icosa',
      version: manifest.version,
      instructions,
      tools: toolsOf(target),
    })
    await Promise.race([served, askedToStop(remark)])
  },
}
