import type { ResourceEntry } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import type { App } from './store.ts'

export const appType = `${serviceName}/apps`

export const registryId = (id: string) => `/${serviceName}/apps/${id}`

/** Registry entry of an app. */
export const entryOf = ({ id, name }: Pick<App, 'id' | 'name'>, tags: ResourceEntry['tags'] = {}): ResourceEntry => ({
  id: registryId(id),
  type: appType,
  name,
  tags,
})
