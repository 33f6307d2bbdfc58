import { Type } from '@icosa/contract'
import { get, post, remove } from '../dialect/contract.ts'
import { pageHeaders, pageQuery } from '../paging/contract.ts'
import { Assignment, AssignmentSubmission } from '../shapes/contract.ts'

const { Optional } = Type
const text = Optional(Type.String({ maxLength: 200 }))

export const assignments = {
  listAssignments: get('/assignments', {
    summary: 'List assignments, the newest first.',
    query: Type.Object({
      ownedBy: text,
      ...pageQuery,
      q: text,
      urlWords: text,
      open: Optional(Type.Boolean()),
      alwaysOpen: Optional(Type.Boolean()),
      tag: text,
      name: text,
    }),
    replies: { 200: Type.Array(Assignment) },
    replyHeaders: pageHeaders,
  }),
  createAssignment: post('/assignments', {
    summary: 'Create an assignment, or update the one with the given id.',
    body: AssignmentSubmission,
    replies: { 200: Assignment },
  }),
  getAssignment: get('/assignments/{id}', {
    summary: 'Read an assignment.',
    replies: { 200: Assignment },
  }),
  deleteAssignment: remove('/assignments/{id}', {
    summary: 'Delete an assignment and its contributions.',
    replies: { 200: null },
  }),
}
