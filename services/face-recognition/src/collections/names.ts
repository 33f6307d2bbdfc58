/** What faces are kept in: groups of persons, or lists of faces, each in two sizes. */
export interface Kind {
  readonly name: 'PersonGroup' | 'LargePersonGroup' | 'FaceList' | 'LargeFaceList'
  readonly noun: string
  readonly path: string
  /** Of the path, and the field that shows it. */
  readonly param: string
  /** How many persons a group may have, or faces a list: none that we count where there may be a million. */
  readonly most?: number
}

export const personGroup: Kind = {
  name: 'PersonGroup',
  noun: 'person group',
  path: 'persongroups',
  param: 'personGroupId',
  most: 10_000,
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
  most: 1_000,
}

export const largeFaceList: Kind = {
  name: 'LargeFaceList',
  noun: 'large face list',
  path: 'largefacelists',
  param: 'largeFaceListId',
}

export const kinds = [personGroup, largePersonGroup, faceList, largeFaceList] as const
