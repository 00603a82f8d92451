using System;
using System.Collections.Generic;
using System.Linq;

namespace Store.Things
{
    #region Types
    [Serializable]
    public enum Colour { Red, Green = 3 }

    public record Point(int X, int Y);
    #endregion

    /// <summary>A store.</summary>
    public sealed class Store<TKey, TValue> : IDisposable where TKey : notnull
    {
        private readonly Dictionary<TKey, TValue> kept = new();
        private const string Text = @"C:\ {""quoted"" (";

        public int Limit { get; private set; } = 10;

        public bool IsEmpty => kept.Count == 0;

        public event EventHandler<Point>? Changed;

        public Store(int limit)
        {
            Limit = limit > 3 ? limit : 3;
        }

        public string Describe(object value)
        {
            switch (value)
            {
                case Point { X: > 0 } point when point.Y != 0:
                    return $"point {point.X:000}, {{braces}} {(point.Y > 3 ? "far" : "near")}";
                case null:
                    throw new ArgumentNullException(nameof(value));
                default:
                    return value switch
                    {
                        int number => number.ToString(),
                        _ => string.Empty,
                    };
            }
        }

        public IEnumerable<TValue> Find(Func<TValue, bool> wanted)
        {
            lock (kept)
            {
                foreach (var value in kept.Values.Where(wanted))
                {
                    yield return value;
                }
            }
            var names = from pair in kept
                        where pair.Key.Equals('\'')
                        select pair.Value;
        }

        public void Dispose()
        {
            try
            {
                kept.Clear();
            }
            finally
            {
                Changed?.Invoke(this, new Point(1, 2));
            }
        }
    }
}
