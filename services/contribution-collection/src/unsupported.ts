import type { Gaps } from '@icosa/module'

export const unsupported = {
  ipAddressPlace: {
    name: '`ipAddressPlace` in `via`',
    answer: 'never',
    instead: 'Nobody is asked where an address is. `ipAddress` is there for moderators.',
  },
  subscriptionsBody: {
    name: 'a body of `GET /subscriptions`, which creates',
    answer: 'no effect',
    instead: 'Subscriptions are created by `POST /subscriptions`, and listed by GET.',
  },
  clientSecret: {
    name: '`client_secret` at the token endpoint',
    answer: 'no effect',
    instead: 'The client is noted by its name. Who may what is decided by the user name and the password.',
  },
  signUp: {
    name: 'users who sign up by themselves, or through another site',
    answer: 'differs',
    instead: 'A key of the platform makes users (`POST /users`), and notes who they are elsewhere.',
  },
  ownActions: {
    name: 'moderation states and actions of one’s own',
    answer: 400,
    instead: 'There are four: approve, reject, escalate and reset.',
  },
  chats: {
    name: '`slackChannel` as the name of a channel, without a chat that an operator has set up',
    answer: 400,
    instead: 'Send the address of an incoming webhook, or set ICOSA_CONTRIBUTIONS_CHAT_URL.',
  },
} as const satisfies Gaps
