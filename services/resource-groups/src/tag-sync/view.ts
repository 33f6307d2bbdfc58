import { arnOf, parseArn } from '@icosa/dialects/signed/arn'
import { groupArn } from '../groups/address.ts'
import { signingNames } from '../names.ts'
import type { TaskRow } from './store.ts'

const arnOfTask = ({ tenant, groupName, uniqueId, id }: TaskRow, region: string) =>
  arnOf({
    service: signingNames[0],
    region,
    tenant,
    resource: `group/${groupName}/${uniqueId}/tag-sync-task/${id}`,
  })

/** Returns the id in a task's ARN; undefined for other texts. */
export const idIn = (arn: string): string | undefined =>
  /^group\/[^/]+\/[^/]+\/tag-sync-task\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(
    parseArn(arn)?.resource ?? '',
  )?.[1]

export function startedOf(task: TaskRow, region: string) {
  const { tenant, groupName, tagKey, tagValue, query, roleArn } = task
  return {
    GroupArn: groupArn({ tenant, region }, groupName),
    GroupName: groupName,
    TaskArn: arnOfTask(task, region),
    ...(tagKey !== null && { TagKey: tagKey }),
    ...(tagValue !== null && { TagValue: tagValue }),
    ...(query && { ResourceQuery: query }),
    RoleArn: roleArn,
  }
}

export function toTask(task: TaskRow, region: string) {
  const { status, errorMessage, createdAt } = task
  return {
    ...startedOf(task, region),
    Status: status,
    ...(errorMessage !== null && { ErrorMessage: errorMessage }),
    CreatedAt: createdAt.getTime() / 1_000,
  }
}
