package store

import java.io.Closeable
import kotlin.math.max

/** A store of {things}. */
sealed interface Kind<out T> {
    data class Named<T>(val name: String, val value: T) : Kind<T>

    object Nothing : Kind<kotlin.Nothing>
}

enum class Colour(val code: Int) {
    RED(1),
    GREEN(2),
}

@Suppress("UNUSED")
class Store<K : Comparable<K>, V>(
    private val limit: Int = 10,
    internal val label: String,
) : Closeable {
    private val kept = mutableMapOf<K, V>()

    val size: Int
        get() = kept.size

    companion object {
        const val TEXT = "a \"quoted\" ("
        private val raw = """raw { ${TEXT.length} " """
    }

    fun put(key: K, value: V): V? {
        require(kept.size < limit) { "full: ${kept.size} of $limit" }
        if (key in kept && value != null) {
            return kept[key]
        } else if (label.isEmpty()) {
            kept.remove(key)
        }
        for ((name, each) in kept) {
            println("$name: $each")
        }
        return kept.put(key, value)
    }

    fun describe(kind: Kind<V>): String = when (kind) {
        is Kind.Named -> kind.name + '\''
        Kind.Nothing -> "nothing"
    }

    inline fun <reified T> all(crossinline wanted: (V) -> Boolean): List<T> =
        listOf<Any?>(size, limit)
            .filterIsInstance<T>()
            .map { value ->
                val half = max(size, 3) / 2
                value
            }

    override fun close() {
        try {
            kept.clear()
        } catch (error: IllegalStateException) {
            throw error
        }
    }
}
