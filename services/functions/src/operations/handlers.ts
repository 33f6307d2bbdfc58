import { implement, invalid, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { operations as contract } from './contract.ts'
import * as store from './store.ts'
import { toFunctionOperation } from './view.ts'

export const operations = implement(contract, {
  async getOperation({ params }, context) {
    const row = await find(context, params.operation)
    if (row.project !== params.project || row.location !== params.location) notFound('operation', params.operation)
    return ok(await toReply(context, row))
  },

  async getOperationById({ params }, context) {
    return ok(await toReply(context, await find(context, params.operation)))
  },

  async listOperations({ params, query }, { db, caller }) {
    const selection = readFilter(query.filter ?? '', params)
    if (selection.isLatest && query.pageToken !== undefined)
      invalid([{ at: 'query/pageToken', message: 'cannot be combined with latest:true' }])
    const { items, next } = await store.list(db, {
      ...selection,
      tenant: caller.tenant,
      project: params.project,
      limit: Math.min(query.pageSize || maxPageSize, maxPageSize),
      token: query.pageToken,
    })
    const list = items.map((item) => toFunctionOperation(item, item))
    return ok({ operations: list }, selection.isLatest ? {} : { next })
  },
})

const maxPageSize = 100

async function find({ db, caller }: ReadingContext, id: string): Promise<store.OperationRow> {
  return (await store.find(db, caller.tenant, id)) ?? notFound('operation', id)
}

async function toReply({ operations }: ReadingContext, row: store.OperationRow) {
  return toFunctionOperation(row, (await operations.find(row.id)) ?? notFound('operation', row.id))
}

interface Selection {
  readonly location?: string | undefined
  readonly function?: string | undefined
  readonly isLatest: boolean
}

/** Parses `project:p,location:l,function:f` or `project:p,latest:true`; empty means the whole location. */
function readFilter(filter: string, params: { readonly project: string; readonly location: string }): Selection {
  const words = filter.trim() === '' ? [] : filter.split(',').map((word) => word.trim().split(/:(.*)/s))
  const terms = new Map(words.map(([name = '', value = '']) => [name, value]))
  const unknown = [...terms.keys()].find((name) => !['project', 'location', 'function', 'latest'].includes(name))
  if (unknown !== undefined || (terms.has('latest') && terms.get('latest') !== 'true'))
    invalid([
      {
        at: 'query/filter',
        message: `is '${filter}': use project:p,location:l,function:f or project:p,latest:true`,
      },
    ])
  const project = terms.get('project')
  if (project !== undefined && project !== '*' && project !== params.project)
    invalid([{ at: 'query/filter', message: `has the project '${project}', but the path has '${params.project}'` }])
  const any = (word: string | undefined) => (word === undefined || word === '*' || word === '-' ? undefined : word)
  return {
    location: any(params.location) ?? any(terms.get('location')),
    function: any(terms.get('function')),
    isLatest: terms.has('latest'),
  }
}
