import { randomUUID } from 'node:crypto'
import { Failure, implement, notFound, ok, type ReadingDb } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { ownArn } from '../shapes/arns.ts'
import { checkedTags } from '../shapes/tags.ts'
import { seconds } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { frameworks as contract, type FrameworkControl } from './contract.ts'
import { controls } from './controls.ts'
import * as store from './store.ts'

export const frameworkArn = (
  region: string,
  { tenant, name, id }: Pick<store.FrameworkRow, 'tenant' | 'name' | 'id'>,
) => ownArn({ tenant, region }, 'framework', `${name}-${id}`)

/** A framework is ready as soon as it is created: its controls are evaluated when a report is generated. */
const deployed = 'COMPLETED'

export function frameworks(region: string) {
  const identified = (row: store.FrameworkRow) => ({ FrameworkName: row.name, FrameworkArn: frameworkArn(region, row) })

  return implement(contract, {
    async CreateFramework({ body }, { db, caller, clock }) {
      const { FrameworkName: name, FrameworkControls, IdempotencyToken: token = null } = body
      checkControls(FrameworkControls)
      const row = {
        tenant: caller.tenant,
        name,
        id: randomUUID(),
        description: body.FrameworkDescription ?? null,
        controls: FrameworkControls,
        token,
        tags: checkedTags(body.FrameworkTags, 'body/FrameworkTags'),
        createdAt: clock.now(),
      }
      const inserted = await store.insert(db, row)
      if (inserted) return ok(identified(inserted))
      const existing = await getFramework(db, caller.tenant, name)
      if (token !== null && existing.token === token) return ok(identified(existing))
      throw new Failure('alreadyExists', `A framework '${name}' already exists: choose another name.`)
    },

    async DescribeFramework({ params }, { db, caller }) {
      const row = await getFramework(db, caller.tenant, params.frameworkName)
      return ok({
        ...identified(row),
        ...(row.description !== null && { FrameworkDescription: row.description }),
        FrameworkControls: [...row.controls],
        CreationTime: seconds(row.createdAt),
        DeploymentStatus: deployed,
        FrameworkStatus: 'ACTIVE',
        ...(row.token !== null && { IdempotencyToken: row.token }),
      })
    },

    async UpdateFramework({ params, body }, { db, caller }) {
      const row = await getFramework(db, caller.tenant, params.frameworkName)
      const { FrameworkDescription: description = row.description, FrameworkControls = row.controls } = body
      checkControls(FrameworkControls)
      await store.update(db, { ...row, description, controls: FrameworkControls })
      return ok({ ...identified(row), CreationTime: seconds(row.createdAt) })
    },

    async DeleteFramework({ params }, { db, caller }) {
      await store.remove(db, await getFramework(db, caller.tenant, params.frameworkName))
      return ok({})
    },

    async ListFrameworks({ query }, { db, caller }) {
      const { MaxResults: limit, NextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, { limit, token })
      const Frameworks = items.map((row) => ({
        ...identified(row),
        ...(row.description !== null && { FrameworkDescription: row.description }),
        NumberOfControls: row.controls.length,
        CreationTime: seconds(row.createdAt),
        DeploymentStatus: deployed,
      }))
      return ok({ Frameworks }, { next })
    },
  })
}

async function getFramework(db: ReadingDb, tenant: string, name: string): Promise<store.FrameworkRow> {
  return (await store.find(db, tenant, name)) ?? notFound('framework', name)
}

/** Rejects unknown controls: one that is never evaluated would look compliant. */
function checkControls(all: readonly FrameworkControl[]): void {
  for (const { ControlName } of all)
    if (!(ControlName in controls)) notSupported(unsupported.controls, `The control ${ControlName}`)
}
