import type { ResourceEntry } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import type { Kind } from './names.ts'

/** Resource type, such as `face-recognition/largePersonGroups`. */
export const typeOf = ({ param }: Kind) => `${serviceName}/${param.replace(/Id$/, 's')}`

export const registryId = (kind: Kind, id: string) => `/${typeOf(kind)}/${id}`

/** Registry entry of a group or list. */
export const entryOf = (
  kind: Kind,
  { id, name }: { readonly id: string; readonly name: string },
  tags: ResourceEntry['tags'] = {},
): ResourceEntry => ({ id: registryId(kind, id), type: typeOf(kind), name, tags })
