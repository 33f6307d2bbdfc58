import type { Fault, FaultRequest } from '@icosa/faults'
import { print, remark, table, text, UsageError, whole } from '@icosa/module'
import type { Arguments, Command } from '../../command.ts'
import { controlOf } from '../../dev/control/client.ts'
import { runningOn } from './instance.ts'

export const faults: Command = {
  name: 'faults',
  usage:
    'faults add SERVICE:OPERATION (--fail 10% [--code NAME] | --throttle 10% [--retry-after 1] | --latency 200ms [--share 10%] | --drop 10% | --drop-reply 10% | --stop 10% [--after 1s]) [--times 3] [--seed 1] | list | clear [ID]',
  summary: 'Inject faults into `icosa dev`: slow, failed or dropped requests, and jobs that stop halfway.',
  flags: {
    fail: { type: 'string' },
    code: { type: 'string' },
    throttle: { type: 'string' },
    'retry-after': { type: 'string' },
    latency: { type: 'string' },
    share: { type: 'string' },
    drop: { type: 'string' },
    'drop-reply': { type: 'string' },
    stop: { type: 'string' },
    after: { type: 'string' },
    times: { type: 'string' },
    seed: { type: 'string' },
  },
  audited: false,
  async run({ words: [action, word], flags, config }) {
    const control = controlOf(runningOn(config)).faults
    if (action === 'list') return show(await control.list())
    if (action === 'clear') {
      const cleared = await control.clear(word)
      return remark(cleared === 1 ? 'Cleared 1 fault.' : `Cleared ${cleared} faults.`)
    }
    if (action !== 'add' || word === undefined) throw new UsageError(`Usage: icosa ${faults.usage}`)
    show([await control.add(requestOf(word, flags))])
  },
}

function requestOf(target: string, flags: Arguments['flags']): FaultRequest {
  const kinds = ['fail', 'throttle', 'latency', 'drop', 'drop-reply', 'stop'] as const
  const [kind, ...others] = kinds.filter((kind) => text(flags, kind) !== undefined)
  if (!kind || others.length > 0)
    throw new UsageError(`Use exactly one of ${kinds.map((kind) => `--${kind}`).join(', ')}.`)
  const value = text(flags, kind) ?? ''
  const number = (name: string) => (text(flags, name) === undefined ? undefined : whole(flags, name, 1))
  const after = text(flags, 'after')
  const share = kind === 'latency' ? text(flags, 'share') : value
  return {
    target,
    kind: ({ fail: 'error', 'drop-reply': 'dropReply' } as const)[kind as 'fail'] ?? (kind as 'drop'),
    share: share === undefined ? undefined : shareOf(share),
    delayMs: kind === 'latency' ? milliseconds(value) : undefined,
    code: text(flags, 'code'),
    retryAfterSeconds: number('retry-after'),
    afterMs: after === undefined ? undefined : milliseconds(after),
    times: number('times'),
    seed: number('seed'),
  }
}

function shareOf(words: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(words) ?? []
  if (number === undefined) throw new UsageError(`'${words}' is not a percentage: write 10%.`)
  return Number(number) / 100
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

function milliseconds(words: string): number {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(words) ?? []
  if (number === undefined) throw new UsageError(`'${words}' is not a duration: write 200ms, 5s or 1m.`)
  return Number(number) * (units[unit] ?? 1)
}

function show(all: readonly Fault[]): void {
  if (all.length === 0) remark('There are no faults.')
  if (all.length === 0) return
  const rows = all.map(({ id, target, on, kind, share, seen, hit, ...rest }) => [
    id,
    target,
    on,
    [kind, rest.code, rest.delayMs && `${rest.delayMs} ms`, rest.afterMs && `after ${rest.afterMs} ms`]
      .filter(Boolean)
      .join(' '),
    `${Number((share * 100).toFixed(4))}%`,
    `${hit} of ${seen}`,
  ])
  print(table(['id', 'target', 'on', 'fault', 'share', 'happened'], rows))
}
