/** Proves again who the person is. */
export default function StepUpForm(_props: { reason: string | null; onDone(): void; onCancel(): void }) {
  return null
}
