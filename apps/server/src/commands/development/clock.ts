import { type ClockMove, isInOperation, moveClock, virtualClock } from '@icosa/kernel'
import { durationMs, print, UsageError } from '@icosa/module'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'

export const clock: Command = {
  name: 'clock',
  usage: 'clock [advance 1h | set 2027-01-01T00:00:00Z | freeze | run | reset]',
  summary: 'Show or move the clock of development mode; timers and schedules follow it.',
  flags: {},
  audited: { '': false, advance: [], set: [], freeze: [], run: [], reset: [] },
  async run({ words, config }) {
    const now = await withDatabase(config, async (database) => {
      if (words.length === 0) return (await virtualClock(database)).now()
      const move = read(words)
      return database.transaction(async (db) => {
        if (config.databaseUrl && config.clock === 'system' && (await isInOperation(db))) throw new UsageError(real)
        return moveClock(db, move)
      })
    })
    print(now.toISOString())
  },
}

const real =
  'The nodes on this database use the system clock, which cannot be moved. If they run with ICOSA_CLOCK=virtual, set it here, too.'

function read([action, value = '']: Arguments['words']): ClockMove {
  if (action === 'advance') return { byMs: durationMs(value) }
  if (action === 'freeze') return { frozen: true }
  if (action === 'run') return { frozen: false }
  if (action === 'reset') return { reset: true }
  const to = new Date(value)
  if (action !== 'set' || Number.isNaN(to.getTime())) throw new UsageError(`Usage: icosa ${clock.usage}`)
  return { to }
}
