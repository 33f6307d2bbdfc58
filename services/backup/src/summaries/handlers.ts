import { accountOf } from '@icosa/dialects/signed/arn'
import { implement, ok, type ReadingContext } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { dayMs } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { isListed } from '../vaults/policy.ts'
import { summaries as contract } from './contract.ts'
import { type JobTable, summaries as read } from './store.ts'

interface Query {
  readonly AccountId?: string
  readonly AggregationPeriod?: string
  readonly State?: string
  readonly ResourceType?: string
  readonly MessageCategory?: string
}

/** Each of the last 14 days, or all of the last one or two weeks. */
const periods: Readonly<Record<string, { readonly days: number; readonly spans: number }>> = {
  ONE_DAY: { days: 1, spans: 14 },
  SEVEN_DAYS: { days: 7, spans: 1 },
  FOURTEEN_DAYS: { days: 14, spans: 1 },
}

export function summaries(region: string) {
  async function count({ db, caller, clock }: ReadingContext, table: JobTable, query: Query) {
    const { AccountId, AggregationPeriod = 'ONE_DAY', State, ResourceType, MessageCategory } = query
    if (MessageCategory !== undefined) notSupported(unsupported.listFilters, 'MessageCategory')
    if (!isListed(AccountId, caller) && AccountId !== 'ANY' && AccountId !== 'AGGREGATE_ALL')
      return { summaries: [], AggregationPeriod }
    const { days = 1, spans = 14 } = periods[AggregationPeriod] ?? {}
    const to = new Date((Math.floor(clock.now().getTime() / dayMs) + 1) * dayMs)
    const from = new Date(to.getTime() - days * spans * dayMs)
    const rows = await read(db, caller.tenant, table, { state: State, type: ResourceType, from, to, days })
    const summaries = rows.map(({ state, type, count, span }) => ({
      Region: region,
      AccountId: accountOf(caller.tenant),
      State: state,
      ResourceType: type,
      Count: count,
      StartTime: (from.getTime() + span * days * dayMs) / 1000,
      EndTime: (from.getTime() + (span + 1) * days * dayMs) / 1000,
    }))
    return { summaries, AggregationPeriod }
  }

  return implement(contract, {
    async ListBackupJobSummaries({ query }, context) {
      const { summaries: BackupJobSummaries, ...rest } = await count(context, 'backup_jobs', query)
      return ok({ BackupJobSummaries, ...rest })
    },
    async ListCopyJobSummaries({ query }, context) {
      const { summaries: CopyJobSummaries, ...rest } = await count(context, 'copy_jobs', query)
      return ok({ CopyJobSummaries, ...rest })
    },
    async ListRestoreJobSummaries({ query }, context) {
      const { summaries: RestoreJobSummaries, ...rest } = await count(context, 'restore_jobs', query)
      return ok({ RestoreJobSummaries, ...rest })
    },
  })
}
