/** The original maker's names for what all its services have: clients decode by them. */
export const types = {
  empty: 'type.googleapis.com/google.protobuf.Empty',
  errorInfo: 'type.googleapis.com/google.rpc.ErrorInfo',
  badRequest: 'type.googleapis.com/google.rpc.BadRequest',
} as const
