import { named, Type } from '@icosa/contract'
import { get, post, remove } from '../dialect/contract.ts'
import { Contribution, ContributionSubmission, ModerationActionSubmission, text } from '../shapes/contract.ts'

const { Optional } = Type

const flagTexts = { type: Optional(text(50)), email: Optional(text(254)), notes: Optional(text(2_000)) }
const Flag = named('Flag', { id: Type.String(), ...flagTexts, date: Type.String() })

export const contributions = {
  createContribution: post('/contributions', {
    summary: 'Submit a contribution to an assignment, for moderation.',
    body: ContributionSubmission,
    replies: { 200: Contribution },
  }),
  getContribution: get('/contributions/{id}', {
    summary: 'Read a contribution.',
    replies: { 200: Contribution },
  }),
  deleteContribution: remove('/contributions/{id}', {
    summary: 'Delete a contribution. It is hidden immediately; its data is deleted in the background.',
    replies: { 200: Contribution },
  }),
  flagContribution: post('/contributions/{id}/flag', {
    summary: 'Report a contribution to its moderators.',
    body: named('FlagSubmission', flagTexts),
    replies: { 200: Flag },
  }),
  listFlags: get('/contributions/{id}/flags', {
    summary: 'List the flags of a contribution.',
    replies: { 200: Type.Array(Flag) },
    extension: true,
  }),
  likeContribution: post('/contributions/{id}/like', {
    summary: 'Like a contribution, once. Returns the number of likes.',
    replies: { 200: Type.Number() },
  }),
  listLikes: get('/contributions/{id}/likes', {
    summary: 'List the users who like a contribution.',
    replies: { 200: Type.Array(Type.String()) },
  }),
  moderateContribution: post('/contributions/{id}/moderate', {
    summary: 'Moderate a contribution. Returns its new state.',
    body: named('ModerationHistoryItemSubmission', {
      action: ModerationActionSubmission,
      notes: Optional(text(5_000)),
    }),
    replies: { 200: Type.String() },
  }),
}
