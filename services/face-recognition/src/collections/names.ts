/** A kind of collection: groups of persons, or lists of faces, each in two sizes. */
export interface Kind {
  readonly name: 'PersonGroup' | 'LargePersonGroup' | 'FaceList' | 'LargeFaceList'
  readonly noun: string
  readonly path: string
  /** Path parameter and response field of the id. */
  readonly param: string
  /** Persons in a group, or faces in a list; large ones are not counted. */
  readonly maxItems?: number
}

export const personGroup: Kind = {
  name: 'PersonGroup',
  noun: 'person group',
  path: 'persongroups',
  param: 'personGroupId',
  maxItems: 10_000,
}

export const largePersonGroup: Kind = {
  name: 'LargePersonGroup',
  noun: 'large person group',
  path: 'largepersongroups',
  param: 'largePersonGroupId',
}

export const faceList: Kind = {
  name: 'FaceList',
  noun: 'face list',
  path: 'facelists',
  param: 'faceListId',
  maxItems: 1_000,
}

export const largeFaceList: Kind = {
  name: 'LargeFaceList',
  noun: 'large face list',
  path: 'largefacelists',
  param: 'largeFaceListId',
}

export const kinds = [personGroup, largePersonGroup, faceList, largeFaceList] as const
