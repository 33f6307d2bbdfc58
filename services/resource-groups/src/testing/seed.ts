import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { configurations, groups, queries, tagSync, tags } from '../contract.ts'
import { applicationGroup } from '../names.ts'
import { byTags } from './app.ts'

const Configuration = [
  {
    Type: 'AWS::ResourceGroups::Generic',
    Parameters: [{ Name: 'allowed-resource-types', Values: ['Vendor.Things/things'] }],
  },
]

/** Creates groups: with tags, with a query, with a configuration, and with tag-sync tasks. */
export const seed: Seed = async (owner) => {
  const calls = client({ ...groups, ...queries, ...configurations, ...tags, ...tagSync }, owner)
  const [Name, Queried, Configured] = ['seeded', 'queried', 'configured']
  const { body } = await calls.CreateGroup({ body: { Name, Description: 'A group', Tags: { stage: 'test' } } })
  const ResourceQuery = byTags({ stage: ['test'] })
  await calls.CreateGroup({ body: { Name: Queried, ResourceQuery } })
  await calls.CreateGroup({ body: { Name: Configured, Configuration } })
  await calls.UpdateGroup({ body: { GroupName: Name, Description: 'The group' } })
  await calls.UpdateGroup({ body: { Group: Name, Description: 'That group' } })
  await calls.UpdateGroupQuery({ body: { GroupName: Queried, ResourceQuery } })
  await calls.UpdateGroupQuery({ body: { Group: Queried, ResourceQuery } })
  await calls.PutGroupConfiguration({ body: { Group: Configured, Configuration } })
  const Group = 'application'
  const RoleArn = 'arn:aws:iam::123456789012:role/sync'
  await calls.CreateGroup({ body: { Name: Group, Configuration: [{ Type: applicationGroup }] } })
  await calls.StartTagSyncTask({ body: { Group, RoleArn, TagKey: 'stage', TagValue: 'test' } })
  await calls.StartTagSyncTask({ body: { Group, RoleArn, ResourceQuery } })
  return { Arn: body.Group.GroupArn, Name }
}
