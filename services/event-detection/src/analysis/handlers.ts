import { randomUUID } from 'node:crypto'
import { implement, notFound, ok, type ReadingContext, readPage } from '@icosa/kernel'
import { ofDetectorModel, warnings } from '../deliveries/unconfigured.ts'
import { definitions } from '../inputs/store.ts'
import { checkDetectorModel } from '../models/check.ts'
import type { Finding } from '../models/findings.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { analysis } from './contract.ts'
import { insert, resultsOf } from './store.ts'

const retentionMs = 86_400_000

export const analyses = (settings: EventDetectionSettings) =>
  implement(analysis, {
    async StartDetectorModelAnalysis({ body }, { db, caller, clock }) {
      const inputs = await definitions(db, caller.tenant)
      const analysisId = randomUUID()
      const { detectorModelDefinition: definition } = body
      const findings = checkDetectorModel(definition, { inputs })
      const unconfigured = warnings(ofDetectorModel(definition, settings))
      await insert(db, caller.tenant, analysisId, [...findings, ...unconfigured], clock.now())
      return ok({ analysisId })
    },

    async DescribeDetectorModelAnalysis({ params }, context) {
      await results(context, params.analysisId)
      return ok({ status: 'COMPLETE' as const })
    },

    async GetDetectorModelAnalysisResults({ params: { analysisId }, query }, context) {
      const findings = await results(context, analysisId)
      const numbered = findings.map((result, number) => ({ result, number }))
      const { items, next } = await readPage<(typeof numbered)[number]>(
        {
          limit: query.maxResults,
          token: query.nextToken,
          query: ['analysis', context.caller.tenant, analysisId],
          at: 'query/nextToken',
        },
        ({ number }) => [number],
        async ([after] = [-1], limit) => numbered.filter(({ number }) => number > Number(after)).slice(0, limit),
      )
      const analysisResults = items.map(({ result: { locations, ...rest } }) => ({
        ...rest,
        locations: [...locations],
      }))
      return ok({ analysisResults }, { next })
    },
  })

async function results({ db, caller, clock }: ReadingContext, id: string): Promise<readonly Finding[]> {
  const since = new Date(clock.now().getTime() - retentionMs)
  return (await resultsOf(db, caller.tenant, id, since)) ?? notFound('analysis', id)
}
