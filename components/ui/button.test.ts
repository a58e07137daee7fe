import { describe, expect, it, vi } from 'vitest';
import { pressProps } from './button';

describe('pressProps', () => {
  it.each([
    ['disabled', { disabled: true }],
    ['busy', { busy: true }],
  ])('a %s button drops the press, also what the browser would do with it: submit the form', (_name, off) => {
    const onClick = vi.fn();
    const preventDefault = vi.fn();
    const props = pressProps({ ...off, onClick });
    Reflect.apply(props.onClick ?? onClick, undefined, [{ preventDefault }]);
    expect(onClick).not.toHaveBeenCalled();
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(props['aria-disabled']).toBe(true);
  });

  it('says of a busy button that it is busy, of a disabled one only that it is off', () => {
    expect(pressProps({ busy: true })['aria-busy']).toBe(true);
    expect(pressProps({ disabled: true })['aria-busy']).toBeUndefined();
  });

  it('leaves a button that is on alone', () => {
    const onClick = vi.fn();
    expect(pressProps({ onClick })).toEqual({ 'aria-busy': undefined, 'aria-disabled': undefined, onClick });
  });
});
