import { CallError } from '../../kit/call-error.ts'
import { FormProblems } from '../../kit/form.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { isPromptError } from './passkey.ts'
import { TEXTS } from './texts/texts.ts'

/** Why sign-in or step-up failed. Every wrong name, password and code has the same text. */
export function EntryProblem({ error }: { error: unknown }) {
  const t = useTexts(TEXTS)
  if (isPromptError(error)) return <Refusal error={new CallError(400, { message: t.passkeyFailed })} />
  const isWrong = error instanceof CallError && (error.code === 'sign_in_failed' || isWrongProof(error))
  if (isWrong) return <Refusal error={new CallError(401, { message: t.signInFailed })} />
  return <FormProblems error={error} />
}

const isWrongProof = ({ status, extra }: CallError) =>
  status === 422 && ['password', 'credential'].includes(String(extra.param))
