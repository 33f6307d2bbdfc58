import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { groups } from '../groups/contract.ts'

/** A group of one tenant. */
export const seed: Seed = async (owner) => {
  const { body } = await client(groups, owner).CreateGroup({ body: { Name: 'seeded', Tags: { stage: 'test' } } })
  return { Arn: body.Group.GroupArn }
}
