/** What a form of the public page got back. */
export interface StepState {
  /** Text under the field: what was typed is wrong. */
  fieldError: string | null;
  /** The step failed: the screen's text, and the server's own below it. */
  failure: { title: string; message: string } | null;
  /** What was typed, so that the form can show it again. */
  value: string;
}

export const EMPTY_STEP: StepState = { fieldError: null, failure: null, value: '' };

/** A form post that also works without scripts; on success it redirects to the page itself. */
export type StepAction = (previous: StepState, form: FormData) => Promise<StepState>;
