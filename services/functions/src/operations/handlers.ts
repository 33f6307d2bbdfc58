import { implement, invalid, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { operations as contract } from './contract.ts'
import * as store from './store.ts'
import { toFunctionOperation } from './view.ts'

export const operations = implement(contract, {
  async getOperation({ params }, context) {
    const row = await find(context, params.operation)
    if (row.project !== params.project || row.location !== params.location) notFound('operation', params.operation)
    return ok(await shown(context, row))
  },

  async getOperationById({ params }, context) {
    return ok(await shown(context, await find(context, params.operation)))
  },

  async listOperations({ params, query }, { db, caller }) {
    const asked = readFilter(query.filter ?? '', params)
    if (asked.isLatest && query.pageToken !== undefined)
      invalid([{ at: 'query/pageToken', message: 'goes with the operations of one function, not with latest:true' }])
    const { items, next } = await store.list(db, {
      ...asked,
      tenant: caller.tenant,
      project: params.project,
      limit: Math.min(query.pageSize || most, most),
      token: query.pageToken,
    })
    const shownNow = items.map((item) => toFunctionOperation(item, item))
    return ok({ operations: shownNow }, asked.isLatest ? {} : { next })
  },
})

const most = 100

async function find({ db, caller }: ReadingContext, id: string): Promise<store.OperationRow> {
  return (await store.find(db, caller.tenant, id)) ?? notFound('operation', id)
}

async function shown({ operations }: ReadingContext, row: store.OperationRow) {
  return toFunctionOperation(row, (await operations.find(row.id)) ?? notFound('operation', row.id))
}

interface Asked {
  readonly location?: string | undefined
  readonly function?: string | undefined
  readonly isLatest: boolean
}

/** `project:p,location:l,function:f`, or `project:p,latest:true`; nothing for all of the location. */
function readFilter(filter: string, params: { readonly project: string; readonly location: string }): Asked {
  const words = filter.trim() === '' ? [] : filter.split(',').map((word) => word.trim().split(/:(.*)/s))
  const said = new Map(words.map(([name = '', value = '']) => [name, value]))
  const unknown = [...said.keys()].find((name) => !['project', 'location', 'function', 'latest'].includes(name))
  if (unknown !== undefined || (said.has('latest') && said.get('latest') !== 'true'))
    invalid([
      {
        at: 'query/filter',
        message: `is '${filter}': write project:p,location:l,function:f or project:p,latest:true`,
      },
    ])
  const project = said.get('project')
  if (project !== undefined && project !== '*' && project !== params.project)
    invalid([
      { at: 'query/filter', message: `names the project '${project}', but the path is that of '${params.project}'` },
    ])
  const any = (word: string | undefined) => (word === undefined || word === '*' || word === '-' ? undefined : word)
  return {
    location: any(params.location) ?? any(said.get('location')),
    function: any(said.get('function')),
    isLatest: said.has('latest'),
  }
}
