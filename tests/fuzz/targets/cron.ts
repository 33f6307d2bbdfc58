import { Failure } from '@icosa/kernel'
import { nextTime } from '../../../services/backup/src/plans/schedule.ts'
import type { Target } from '../target.ts'

const after = new Date('2026-11-17T10:00:00Z')

export const target: Target = {
  seeds: [
    'cron(0 5 ? * * *)',
    'rate(12 hours)',
    'cron(0/15 8-18 ? * 2-6 2026)',
    'cron(0 0 31 2 ? *)',
    'cron(0 0 L * ? *)',
    'cron(0 0 ? * 2#1 *)',
  ],
  dictionary: ['*', '?', '/', '-', ',', '#', 'L', 'W', 'MON', 'JAN', '29 2', '2400', 'cron(', ')', '1-31', '30 2'],
  refusals: [Failure],
  maxBytes: 256,
  run: (bytes) => nextTime({ expression: bytes.toString('utf8'), timezone: 'Europe/Berlin' }, after),
}
